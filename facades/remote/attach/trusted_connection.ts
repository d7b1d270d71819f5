import { Buffer } from "node:buffer";
import { connect, type TLSSocket } from "node:tls";

/**
 * A connection to a server that shows one of the certificates in `pem`,
 * whatever name and use they are for, or one that they vouch for. `signal` ends
 * what is on its way to be one.
 */
export async function trustedConnection(
  url: string,
  pem: string,
  signal: AbortSignal,
): Promise<TLSSocket> {
  const socket = await open(url, { rejectUnauthorized: false }, signal);
  if (isOneOf(socket.getPeerCertificate().raw, pem)) return socket;
  socket.destroy();
  return await open(url, { ca: pem }, signal);
}

async function open(
  url: string,
  trust: { readonly rejectUnauthorized?: false; readonly ca?: string },
  signal: AbortSignal,
): Promise<TLSSocket> {
  signal.throwIfAborted();
  const { hostname, port } = new URL(url);
  const host = hostname.replace(/^\[(.*)\]$/, "$1");
  const { promise, resolve, reject } = Promise.withResolvers<TLSSocket>();
  const socket = connect({
    host,
    port: Number(port || 443),
    ...(!/^[\d.]+$|:/.test(host) && { servername: host }),
    ALPNProtocols: ["http/1.1"],
    ...trust,
  });
  const stop = () => socket.destroy(signal.reason);
  signal.addEventListener("abort", stop);
  socket.once("secureConnect", () => resolve(socket));
  socket.once("error", reject);
  try {
    return await promise;
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

function isOneOf(shown: Uint8Array | undefined, pem: string): boolean {
  if (!shown) return false;
  const blocks = pem.matchAll(
    /-----BEGIN CERTIFICATE-----([^-]+)-----END CERTIFICATE-----/g,
  );
  return [...blocks].some(([, base64 = ""]) =>
    Buffer.from(base64, "base64").equals(shown)
  );
}
