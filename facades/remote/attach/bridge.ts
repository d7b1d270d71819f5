import { type AddressInfo, createServer, type Socket } from "node:net";

/**
 * A port of this machine that leads to `far`, for whoever comes first and for
 * nobody else: how a WebSocket gets a connection that was made for it.
 */
export async function bridge(far: Socket): Promise<number> {
  const server = createServer((near) => {
    server.close();
    join(near, far);
  });
  far.once("close", () => server.close());
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once("error", reject);
  server.listen(0, "127.0.0.1", resolve);
  await promise;
  return (server.address() as AddressInfo).port;
}

function join(near: Socket, far: Socket): void {
  for (const [one, other] of [[near, far], [far, near]] as const) {
    one.pipe(other);
    one.on("error", () => {}); // its close follows
    one.on("close", () => other.destroy());
  }
}
