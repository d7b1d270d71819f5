import type { $ZodIssue } from "zod/v4/core";

/** One sentence on what a value should have been: `path: expected …, received …`. */
export function issueLine(issue: $ZodIssue): string {
  const where = issue.path.map(String).join(".");
  return where ? `${where}: ${issueText(issue)}` : issueText(issue);
}

/** The same without the path. */
export function issueText(issue: $ZodIssue): string {
  // zod/mini carries no messages of its own, so they are composed here.
  switch (issue.code) {
    case "invalid_type":
      return `expected ${issue.expected}${received(issue.input)}`;
    case "invalid_value":
      return `expected ${issue.values.length > 1 ? "one of " : ""}${
        issue.values.map((v) => JSON.stringify(v)).join(", ")
      }`;
    case "unrecognized_keys":
      return `unknown key ${issue.keys.map((k) => `"${k}"`).join(", ")}`;
    case "too_small":
      return `expected ${
        issue.inclusive === false ? "more than" : "at least"
      } ${issue.minimum}`;
    case "too_big":
      return `expected at most ${issue.maximum}`;
    case "invalid_format":
      return `expected a valid ${issue.format}`;
    case "invalid_union":
      return unionText(issue);
    default:
      return issue.message || "invalid value";
  }
}

function received(input: unknown): string {
  if (input === undefined) return "";
  const type = Array.isArray(input)
    ? "array"
    : input === null
    ? "null"
    : typeof input;
  return `, received ${type}`;
}

function unionText(issue: $ZodIssue & { code: "invalid_union" }): string {
  const texts = issue.errors.map((branch) => {
    const [first] = branch;
    return first ? issueLine(first) : "";
  }).filter(Boolean);
  return [...new Set(texts)].join(", or ") || "invalid value";
}
