const EAGER =
  /import\s*\{\s*createRequire as (\w+)\s*\}\s*from\s*"node:module";\s*var (\w+)\s*=\s*\1\(import\.meta\.url\);/;

/**
 * Bundled code with its `require` made when it is first called. As the bundler
 * writes it, every start would load `node:module` for packages that hardly any
 * start uses.
 */
export function lazyRequire(code: string): string {
  return code.replace(
    EAGER,
    (_, _maker, name) =>
      `var ${name}=(id)=>process.getBuiltinModule("node:module").createRequire(import.meta.url)(id);`,
  );
}
