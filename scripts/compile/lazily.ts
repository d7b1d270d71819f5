/** Stands for what `make` makes, which is made when it is first looked at. */
export function lazily<T extends object>(make: () => T): T {
  let made: T | undefined;
  const target = () => made ??= make();
  return new Proxy({} as T, {
    get: (_, key) => Reflect.get(target(), key),
    has: (_, key) => Reflect.has(target(), key),
  });
}
