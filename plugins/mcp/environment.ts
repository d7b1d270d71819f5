import process from "node:process";

/**
 * What a server finds in its environment: what programs need to run and to
 * reach the network. The rest may hold secrets that are none of its business.
 */
export function serverEnvironment(
  own: Readonly<Record<string, string>>,
): Record<string, string> {
  const kept = Object.entries(process.env).filter(
    (entry): entry is [string, string] =>
      KEPT.test(entry[0]) && entry[1] !== undefined,
  );
  return { ...Object.fromEntries(kept), ...own };
}

const KEPT = new RegExp(
  `^(${
    [
      "PATH|HOME|USER|LOGNAME|SHELL|TERM|LANG|LC_\\w+|TZ|TMPDIR|XDG_\\w+",
      "(HTTPS?|ALL|NO)_PROXY|SSL_CERT_(FILE|DIR)|NODE_EXTRA_CA_CERTS",
      "DENO_(DIR|CERT|TLS_CA_STORE)|NPM_CONFIG_(REGISTRY|CACHE|CAFILE|USERCONFIG)",
      "UV_(INDEX_URL|DEFAULT_INDEX|CACHE_DIR)|PIP_(INDEX_URL|CERT)",
      "DOCKER_HOST|DISPLAY|WAYLAND_DISPLAY|DBUS_SESSION_BUS_ADDRESS",
      // Windows
      "APPDATA|LOCALAPPDATA|HOMEDRIVE|HOMEPATH|PATHEXT|COMSPEC|SYSTEMDRIVE",
      "SYSTEMROOT|TEMP|TMP|USERNAME|USERPROFILE|PROGRAM\\w+",
    ].join("|")
  })$`,
  "i",
);
