import TEMPLATE from "./init.yaml.txt" with { type: "text" };

/** The model an agent.yaml is written for. */
export interface Setup {
  /** What it is, in words. */
  readonly about: string;
  /** Absent where nothing was found: the configuration leaves it open. */
  readonly use?: "openai" | "anthropic" | "demo";
  readonly name?: string;
  readonly baseURL?: string;
  /** The environment variable that holds the key. */
  readonly key?: string;
  /** Other models that could be used, as comments. */
  readonly others: readonly {
    readonly name: string;
    readonly baseURL: string;
  }[];
}

/** A whole agent.yaml, commented. */
export function initText(setup: Setup): string {
  return TEMPLATE.replace("MODEL\n", () => `${model(setup)}\n`);
}

function model({ use, name, baseURL, key, others }: Setup): string {
  if (use === undefined) return OPEN;
  if (use === "demo") return `model: demo\n${EXAMPLE}`;
  return [
    "model:",
    `  use: ${use}`,
    ...name === undefined ? [] : [`  name: ${scalar(name)}`],
    ...baseURL === undefined ? [] : [`  baseURL: ${scalar(baseURL)}`],
    ...use === "openai" ? [`  ${WINDOW}`] : [],
    ...key === undefined ? [] : [`  apiKey: \${${key}}`],
    ...others.map((o) => `  # also there: ${scalar(o.name)} at ${o.baseURL}`),
  ].join("\n");
}

const WINDOW =
  "# contextWindow: 16384 # tokens it can hold; automatic compaction needs it";

const EXAMPLE = `# model:
#   use: openai                          # any OpenAI-compatible server
#   name: llama3.2
#   baseURL: http://127.0.0.1:11434/v1   # Ollama
#   contextWindow: 16384                 # as it was started; compaction needs it`;

const OPEN =
  `# Without this key: a server that runs on this machine, else the demo model.
${EXAMPLE}`;

// Plain where YAML cannot take it for anything but this text.
function scalar(text: string): string {
  const plain = /^[a-z][\w./:+-]*[\w]$/i.test(text) &&
    !/^(true|false|null|yes|no|on|off)$/i.test(text);
  return plain ? text : JSON.stringify(text.replaceAll("${", "$${"));
}
