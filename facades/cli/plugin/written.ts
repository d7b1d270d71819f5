import { stringify } from "yaml";

/** A value on one line, as it is written in `text`: as JSON where all of it is that, else as YAML. */
export function written(value: unknown, text = ""): string {
  if (isJson(text)) return JSON.stringify(value);
  const options = { collectionStyle: "flow", lineWidth: 0 } as const;
  return stringify(value, options).replaceAll(/\n\s*/g, " ").trim();
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
