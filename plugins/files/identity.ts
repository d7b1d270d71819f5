/** What a session file says of itself. */
export interface Identity {
  readonly version?: unknown;
  readonly id?: unknown;
}

const NEWER = "it was written by a newer mm";

/** Tells whether that is all that is wrong: the file may be in good order. */
export function isOfNewer(problem: string): boolean {
  return problem.startsWith(NEWER);
}

/** Why a file is not of the session `id` in the format `version`; undefined when it is. */
export function identityProblem(
  found: Identity,
  id: string,
  version: number,
): string | undefined {
  if (typeof found.version === "number" && found.version > version) {
    return `${NEWER} (format ${found.version}, this one reads ${version}): upgrade mm to open it`;
  }
  if (found.version !== version) return `its "version" is not ${version}`;
  if (found.id === id) return undefined;
  return typeof found.id === "string"
    ? `its "id" is ${JSON.stringify(found.id.slice(0, 80))}, not its name`
    : `its "id" is not text`;
}
