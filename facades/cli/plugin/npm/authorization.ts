import { userSettings } from "./settings.ts";

/**
 * What to say to a private registry: the token (`_authToken`) or the name and
 * password (`_auth`) that the user's own .npmrc has for this address or one
 * above it, `//host/path/:_authToken=…`. No other address gets to see it.
 */
export async function authorization(url: URL): Promise<HeadersInit> {
  const settings = await userSettings();
  for (const folder of foldersOf(url)) {
    const token = settings.get(`${folder}:_authToken`);
    if (token) return { authorization: `Bearer ${token}` };
    const basic = settings.get(`${folder}:_auth`);
    if (basic) return { authorization: `Basic ${basic}` };
  }
  return {};
}

// //host/a/b.tgz → //host/a/b.tgz, //host/a/, //host/a, //host/, //host: npm takes both spellings.
function foldersOf({ host, pathname }: URL): readonly string[] {
  const found: string[] = [];
  for (let path = `//${host}${pathname}`; path.length > 2;) {
    found.push(path);
    path = path.endsWith("/")
      ? path.slice(0, -1)
      : path.slice(0, path.lastIndexOf("/") + 1);
  }
  return found;
}
