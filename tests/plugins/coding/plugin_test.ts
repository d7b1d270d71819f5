import assert from "node:assert/strict";
import { safeParse } from "zod/v4/core";
import { toolSpec } from "../../../core/tool.ts";
import { plugin } from "../../../plugins/coding/plugin.ts";
import { makeKit } from "./kit.ts";

const NAMES = ["read", "list", "search", "write", "edit", "shell"];

Deno.test("plugin describes its six tools in little space", async () => {
  await using kit = await makeKit();
  const specs = NAMES.map((name) => ({
    type: "function",
    function: toolSpec(kit.tool(name)),
  }));
  const bytes = new TextEncoder().encode(JSON.stringify(specs)).length;
  assert.ok(bytes <= 2600, String(bytes));
});

Deno.test("plugin leaves out the tools that are off", async () => {
  await using kit = await makeKit({ options: { off: ["shell", "write"] } });
  assert.throws(() => kit.tool("shell"));
  assert.equal(kit.tool("read").name, "read");
});

Deno.test("plugin refuses options it does not know", () => {
  assert.ok(safeParse(plugin.options, {}).success);
  assert.ok(!safeParse(plugin.options, { off: ["rm"] }).success);
  assert.ok(!safeParse(plugin.options, { timeOut: 1 }).success);
  assert.ok(!safeParse(plugin.options, { timeout: 0 }).success);
});

Deno.test("plugin loads nothing heavy before it is used", async () => {
  const { stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["info", "--json", "plugins/coding/plugin.ts"],
  }).output();
  const info = JSON.parse(new TextDecoder().decode(stdout));
  const eager = new Set<string>();
  const visit = (specifier: string) => {
    if (eager.has(specifier)) return;
    eager.add(specifier);
    const module = info.modules.find((m: { specifier: string }) =>
      m.specifier === specifier
    );
    for (const one of module?.dependencies ?? []) {
      if (one.isDynamic || !one.code) continue;
      visit(one.code.specifier);
    }
  };
  visit(info.roots[0]);
  const heavy = [...eager].filter((name) =>
    /unbash|\/diff|npm:.*ignore|levenshtein|allow\.ts|node:(?!path)/.test(name)
  );
  assert.deepEqual(heavy, []);
  assert.ok(eager.size > 15);
});
