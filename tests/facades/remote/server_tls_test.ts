import assert from "node:assert/strict";
import { upgrade } from "./raw_http.ts";
import { options, serverLab, TOKEN } from "./server_lab.ts";
import { openServer } from "../../../facades/remote/server/remote_server.ts";

// Made for these tests; nobody trusts them.
const pem = (name: string) =>
  Deno.readTextFileSync(new URL(`tls/${name}.pem`, import.meta.url));

Deno.test("with a certificate the page and the sockets are encrypted, and nothing else is answered", async () => {
  await using lab = await serverLab([], {
    serve: { tls: { cert: pem("cert"), key: pem("key") } },
  });
  const { port } = lab.server;
  const caCerts = [pem("ca")];
  const connection = await Deno.connectTls({
    hostname: "localhost",
    port,
    caCerts,
  });
  const headers = {
    Host: `localhost:${port}`,
    Origin: `https://localhost:${port}`,
    "Sec-WebSocket-Protocol": `mm.v1, bearer.${TOKEN}`,
  };
  await connection.write(new TextEncoder().encode(upgrade(port, headers)));
  let text = "";
  const buffer = new Uint8Array(10_000);
  while (!text.includes('"hello"')) {
    const read = await connection.read(buffer);
    assert(read !== null);
    text += new TextDecoder().decode(buffer.subarray(0, read));
  }
  connection.close();
  using client = Deno.createHttpClient({ caCerts });
  const page = await fetch(`https://localhost:${port}/nothing`, { client });
  assert.equal(page.status, 404);
  await page.text();
  await assert.rejects(fetch(`http://localhost:${port}/`));
});

Deno.test("a certificate that is none is told", async () => {
  await using lab = await serverLab();
  for (
    const tls of [{ cert: "x", key: "y" }, { cert: pem("cert"), key: "y" }]
  ) {
    await assert.rejects(
      openServer(lab.agent, options({ tls })),
      /^UserError: Cannot use the certificate or its key: /,
    );
  }
});
