import assert from "node:assert/strict";
import { Agent } from "../../../../core/agent.ts";
import { attachToServer } from "../../../../facades/remote/attach/attach_to_server.ts";
import { PinnedSocket } from "../../../../facades/remote/attach/pinned_socket.ts";
import { ScriptedModel } from "../../../scripted_model.ts";
import { plainDriver } from "../../terminal/plain_driver.ts";
import { close, serve, TOKEN } from "./lab.ts";

const read = (name: string) =>
  Deno.readTextFileSync(new URL(`../tls/${name}`, import.meta.url));
const tls = { cert: read("cert.pem"), key: read("key.pem") };

Deno.test("attachToServer() takes a server that shows the certificate, by any name, or one that it vouches for", async () => {
  for (
    const [host, cert] of [["127.0.0.1", tls.cert], [
      "localhost",
      read("ca.pem"),
    ]]
  ) {
    await using agent = new Agent({
      cwd: "/project",
      model: new ScriptedModel(["Hello."]),
    });
    const server = await serve(agent, { tls });
    const remote = await attachToServer({
      url: `https://${host}:${server.port}/`,
      token: TOKEN,
      cert: () => cert,
      cwd: (there) => there,
    });
    const facade = await plainDriver(remote);
    await facade.ask("hi");
    assert.match(await facade.shown(), /Hello\./);
    await facade[Symbol.asyncDispose]();
    remote.close();
    await close(server);
  }
});

Deno.test("attachToServer() says nothing to a server that shows another certificate", async () => {
  const said: string[] = [];
  const impostor = Deno.serve({
    port: 0,
    hostname: "127.0.0.1",
    ...tls,
    onListen() {},
  }, (request) => {
    said.push(`${request.url} ${[...request.headers]}`);
    return new Response("");
  });
  const other = tls.cert.replace(/(?<=CERTIFICATE-----\n.{20})..../, "AAAA");
  assert.notEqual(other, tls.cert);
  await assert.rejects(
    attachToServer({
      url: `https://127.0.0.1:${impostor.addr.port}/`,
      token: TOKEN,
      cert: () => other,
      cwd: (there) => there,
    }),
    /its certificate is not the one that is trusted/,
  );
  assert.deepEqual(said, []);
  await impostor.shutdown();
});

Deno.test("attachToServer() comes back to a server that was started anew with a certificate, or without", async () => {
  await using agent = new Agent({
    cwd: "/project",
    model: new ScriptedModel(["One.", "Two.", "Three."]),
  });
  let server = await serve(agent, { tls });
  const place = (secure: boolean) => ({
    url: `${secure ? "https" : "http"}://127.0.0.1:${server.port}/`,
    token: TOKEN,
  });
  let now = place(true);
  const remote = await attachToServer({
    ...now,
    cert: () => now.url.startsWith("https") ? tls.cert : undefined,
    moved: () => Promise.resolve(now),
    cwd: (there) => there,
  });
  const facade = await plainDriver(remote);
  await facade.ask("1");
  for (const secure of [false, true]) {
    await server[Symbol.asyncDispose]();
    server = await serve(agent, secure ? { tls } : {});
    now = place(secure);
    await facade.ask(secure ? "3" : "2");
  }
  assert.match(await facade.shown(), /One\.[^]*Two\.[^]*Three\./);
  await facade[Symbol.asyncDispose]();
  remote.close();
  await close(server);
});

Deno.test("PinnedSocket ends a connection that never becomes one", async () => {
  const mute = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = mute.addr as Deno.NetAddr;
  const url = `wss://127.0.0.1:${port}/ws`;
  const socket = new PinnedSocket(url, ["mm.v1"], tls.cert);
  const closed = Promise.withResolvers<void>();
  socket.onclose = () => closed.resolve();
  using connection = await mute.accept();
  assert.notEqual(await connection.read(new Uint8Array(4096)), null);
  socket.close();
  assert.equal(await connection.read(new Uint8Array(4096)), null);
  await closed.promise;
  mute.close();
});
