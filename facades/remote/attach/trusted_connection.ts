import { Buffer } from "node:buffer";
import { connect, type TLSSocket } from "node:tls";

/**
 * A connection to a server that shows one of the certificates in `pem`,
 * whatever name and use they are for, or one that they vouch for.
 */
export async function trustedConnection(
  url: string,
  pem: string,
): Promise<TLSSocket> {
  const socket = await open(url, { rejectUnauthorized: false });
  if (isOneOf(socket.getPeerCertificate().raw, pem)) return socket;
  socket.destroy();
  return await open(url, { ca: pem });
}

function open(
  url: string,
  trust: { readonly rejectUnauthorized?: false; readonly ca?: string },
): Promise<TLSSocket> {
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
  socket.once("secureConnect", () => resolve(socket));
  socket.once("error", reject);
  return promise;
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
