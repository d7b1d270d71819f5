/** Whether a host, as a URL or a server has it, is this machine alone. */
export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || host === "[::1]" ||
    /^(::ffff:)?127(\.\d+){3}$/i.test(host);
}
