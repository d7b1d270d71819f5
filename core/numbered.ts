/** The `n`th name for a file that must not replace another: `a.md`, `a-2.md`, `a-3.md` … */
export function numbered(name: string, n: number): string {
  if (n === 1) return name;
  const [, stem = name, extension = ""] = /^(.+?)(\.[^.]*)?$/s.exec(name) ?? [];
  return `${stem}-${n}${extension}`;
}
