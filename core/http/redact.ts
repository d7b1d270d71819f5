/** What must not be shown: long enough that no word of an answer is taken for it. */
const SHORTEST = 6;

/** Gives a function that hides `secrets` wherever they stand in a text. */
export function redactor(
  secrets: Iterable<string>,
): (text: string) => string {
  // The longest first: one may be a part of another.
  const hidden = [...new Set(secrets)]
    .filter((secret) => secret.length >= SHORTEST)
    .toSorted((a, b) => b.length - a.length);
  return (text) =>
    hidden.reduce((rest, secret) => rest.replaceAll(secret, "***"), text);
}

/** What the values of headers may hold that is secret: all, or what follows `Bearer` or a cookie's name. */
export function headerSecrets(
  headers: Readonly<Record<string, string>>,
): string[] {
  return Object.values(headers).map((value) => value.trim()).flatMap((
    value,
  ) => [
    value,
    ...value.split(/;\s*/).map((part) => part.replace(/^[^=\s]*[=\s]\s*/, "")),
  ]);
}

/** What the query of an address may hold that is secret, as it is and as it is written. */
export function addressSecrets({ search, searchParams }: URL): string[] {
  const written = search.slice(1).split("&")
    .map((part) => part.replace(/^[^=]*=/, ""));
  return [...written, ...searchParams.values()];
}
