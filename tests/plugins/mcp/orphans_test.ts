import assert from "node:assert/strict";
import { join } from "node:path";
import { marked } from "../../marked.ts";
import { until } from "../../until.ts";
import { fake, serve, use } from "./lab.ts";

const ignore = Deno.build.os !== "linux"; // they look into /proc
const HOST = join(import.meta.dirname ?? "", "host_program.ts");

Deno.test({
  name: "closing ends a server that does not listen, and what it started",
  ignore,
  async fn() {
    const marker = crypto.randomUUID();
    const env = { MM_TEST: marker };
    const served = await serve([fake("f", ["grandchild", "stubborn"], env)]);
    assert.equal(marked(marker).length, 2);
    await served[Symbol.asyncDispose]();
    assert.deepEqual(marked(marker), []);
  },
});

Deno.test({
  name: "a server that dies takes along what it started",
  ignore,
  async fn() {
    const marker = crypto.randomUUID();
    const env = { MM_TEST: marker };
    await using served = await serve([fake("f", ["grandchild"], env)]);
    await assert.rejects(use(served, "mcp__f__die"), /stopped during/);
    await until(() => marked(marker).length === 0);
  },
});

for (
  const [how, flags] of [
    ["Deno.exit", ["grandchild", "stubborn"]],
    ["SIGKILL", []],
  ] as const
) {
  Deno.test({
    name: `no server outlives a program that ends by ${how}`,
    ignore,
    async fn() {
      const marker = crypto.randomUUID();
      const server = fake("f", flags, { MM_TEST: marker });
      const host = new Deno.Command(Deno.execPath(), {
        args: ["run", "--quiet", "-A", HOST, how, JSON.stringify(server)],
        stdin: "piped",
        stdout: "piped",
      }).spawn();
      const reader = host.stdout.getReader();
      await reader.read(); // it says that it serves
      assert.ok(marked(marker).length > 0);
      if (how === "SIGKILL") host.kill("SIGKILL");
      await host.stdin.close();
      await host.status;
      await reader.cancel();
      await until(() => marked(marker).length === 0);
    },
  });
}
