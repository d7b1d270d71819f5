/**
 * Opens an address in the user's browser, where there is one. Every user of the
 * machine may see how a program was started: the address should hold no more
 * than a ticket.
 */
export function openBrowser(url: string): void {
  const [command, ...args] = opener();
  try {
    const browser = new Deno.Command(command, {
      args: [...args, url],
      stdin: "null",
      stdout: "null",
      stderr: "null",
    }).spawn();
    browser.unref(); // it may stay as long as it likes
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    console.error(`Cannot open a browser: there is no ${command} here`);
  }
}

function opener(): readonly [string, ...string[]] {
  switch (Deno.build.os) {
    case "darwin":
      return ["open"];
    case "windows":
      return ["explorer"];
    default:
      return ["xdg-open"];
  }
}
