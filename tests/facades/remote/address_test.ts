import assert from "node:assert/strict";
import { networkInterfaces } from "node:os";
import { addresses } from "../../../facades/remote/server/address.ts";
import { forPeople } from "../../../facades/remote/server/announce.ts";

const NAMES = ["box.example", "mm.example"];

Deno.test("addresses() begins with the names a certificate may be for", () => {
  const { here, elsewhere } = addresses({
    host: "0.0.0.0",
    port: 7345,
    secure: true,
    names: NAMES,
  });
  assert.equal(here, "https://127.0.0.1:7345/");
  const own = Object.values(networkInterfaces()).flatMap((all) => all ?? [])
    .filter(({ internal, family }) => !internal && family === "IPv4")
    .map(({ address }) => `https://${address}:7345/`);
  assert.deepEqual(elsewhere, [
    "https://box.example:7345/",
    "https://mm.example:7345/",
    ...own,
  ]);
});

Deno.test("addresses() names a server on one address, too", () => {
  const one = { host: "192.0.2.7", port: 1, secure: true, names: NAMES };
  assert.deepEqual(addresses(one), {
    here: "https://192.0.2.7:1/",
    elsewhere: ["https://box.example:1/", "https://mm.example:1/"],
  });
});

Deno.test("addresses() tells no name that may be a proxy's", () => {
  for (
    const server of [
      { host: "127.0.0.1", secure: true },
      { host: "192.0.2.7", secure: false },
      { host: "::1", secure: true },
    ]
  ) {
    const { elsewhere } = addresses({ ...server, port: 1, names: NAMES });
    assert.deepEqual(elsewhere, []);
  }
});

Deno.test("forPeople() offers the code to a phone only where one gets here", () => {
  const say = (here: string, elsewhere: string[] = []) =>
    forPeople(
      { here, elsewhere, token: "t", version: "0", pid: 1 },
      false,
    );
  const alone = /Open it in a browser on this machine/;
  assert.match(say("http://127.0.0.1:1/"), alone);
  assert.match(say("http://[::1]:1/"), alone);
  const far = /Scan it, or open the address/;
  assert.match(say("http://192.0.2.7:1/"), far);
  assert.match(say("http://127.0.0.1:1/", ["http://192.0.2.7:1/"]), far);
});
