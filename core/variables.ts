/** Replaces `${NAME}` and `${NAME:-default}` in a text by what `value` says; `$${` becomes `${`. */
export function replaceVariables(
  text: string,
  value: (name: string, fallback: string | undefined, all: string) => string,
): string {
  return text.replaceAll(
    VARIABLE,
    (all, name?: string, fallback?: string) =>
      name === undefined ? "${" : value(name, fallback, all),
  );
}

/** The names of the variables in a value's texts, at any depth, each once and sorted. */
export function variablesIn(value: unknown): string[] {
  const names = new Set<string>();
  collect(value, names);
  return [...names].sort();
}

/** Tells whether a value has any. */
export function hasVariables(value: unknown): boolean {
  return variablesIn(value).length > 0;
}

/** Tells whether a variable is called as secrets are. */
export function isSecretName(name: string): boolean {
  return /TOKEN|KEY|SECRET|PASSWORD/i.test(name);
}

function collect(value: unknown, names: Set<string>): void {
  if (typeof value === "string") {
    for (const [, name] of value.matchAll(VARIABLE)) {
      if (name !== undefined) names.add(name);
    }
  } else if (typeof value === "object" && value !== null) {
    for (const inner of Object.values(value)) collect(inner, names);
  }
}

const VARIABLE = /\$\$\{|\$\{(\w+)(?::-([^}]*))?\}/g;
