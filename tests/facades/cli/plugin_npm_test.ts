import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { Project } from "./project.ts";

const CODE = `
import { definePlugin } from "mm";
Deno.writeTextFileSync("ran", "yes");
export const plugin = definePlugin({
  name: "hello",
  options: { _zod: { def: {}, run: (payload) => payload } },
  open: () => ({}),
});
`;

Deno.test("mm plugin add npm:… fetches, pins and trusts one file of a package", async () => {
  await using project = await Project.make({ "agent.yaml": "# Ours\n" });
  await using registry = await Registry.serve(CODE);
  const env = { npm_config_registry: registry.url };
  const mm = (...args: string[]) => project.mm(args, { env });

  const asked = await mm("plugin", "add", "npm:@our/hello");
  assert.equal(asked.code, 2);
  assert.match(asked.stderr, /Cannot trust plugin "npm:@our\/hello"/);
  assert.equal(await ran(project), false);
  const add = await mm("plugin", "add", "npm:@our/hello", "--yes");
  assert.equal(add.code, 0, add.stderr);
  assert.equal(
    await Deno.readTextFile(project.path("agent.yaml")),
    "# Ours\n\nplugins:\n  - npm:@our/hello\n",
  );
  const lock = await Deno.readTextFile(project.path("mm.lock"));
  const entry = JSON.parse(lock).plugins["npm:@our/hello"];
  assert.equal(entry.version, "1.2.3");
  assert.equal(entry.integrity, registry.integrity);
  assert.equal(entry.module, "dist/index.js");
  assert.ok(!lock.includes("127.0.0.1"), "it names no registry");

  // From now on the network is not needed.
  await registry.stop();
  assert.equal((await mm("run", "hello")).code, 0);
  assert.equal(await ran(project), true);
  const remove = await mm("plugin", "remove", "npm:@our/hello");
  assert.equal(remove.code, 0, remove.stderr);
  await assert.rejects(Deno.stat(project.path("mm.lock")));
  const config = await Deno.readTextFile(project.path("agent.yaml"));
  assert.equal(config, "# Ours\n");
});

Deno.test("mm plugin trust fetches exactly what mm.lock pins, and refuses another hash", async () => {
  await using project = await Project.make({
    "agent.yaml": "plugins: ['npm:@our/hello']\n",
  });
  await using registry = await Registry.serve(CODE);
  const env = { npm_config_registry: registry.url };
  const mm = (...args: string[]) => project.mm(args, { env });
  const sha256 = createHash("sha256").update(CODE).digest("hex");
  const pin = async (change: Record<string, string>) =>
    await project.write(
      "mm.lock",
      JSON.stringify({
        version: 1,
        plugins: {
          "npm:@our/hello": {
            version: "1.2.3",
            integrity: registry.integrity,
            module: "dist/index.js",
            sha256,
            ...change,
          },
        },
      }),
    );
  for (
    const change of [{ integrity: "sha512-x" }, { sha256: "0".repeat(64) }]
  ) {
    await pin(change);
    const { code, stderr } = await mm("plugin", "trust", "--yes");
    assert.equal(code, 1);
    assert.match(stderr, /another hash than mm\.lock records; nothing was run/);
    assert.equal((await mm("run", "hello")).code, 2);
    assert.equal(await ran(project), false);
  }
  await pin({});
  assert.equal((await mm("run", "hello")).code, 2);
  assert.equal((await mm("plugin", "trust", "--yes")).code, 0);
  assert.equal(await ran(project), false);
  assert.equal((await mm("run", "hello")).code, 0);
});

Deno.test("a package that is not what the registry says is refused", async () => {
  await using project = await Project.make();
  await using registry = await Registry.serve(CODE, "sha512-AAAA");
  const env = { npm_config_registry: registry.url };
  const add = async (name: string) =>
    await project.mm(["plugin", "add", name, "--yes"], { env });
  const { code, stderr } = await add("npm:@our/hello");
  assert.equal(code, 1);
  assert.match(stderr, /has another hash than the registry says/);
  const gone = await add("npm:nothing");
  assert.equal(gone.code, 1);
  assert.match(gone.stderr, /the registry has no nothing@latest/);
  await assert.rejects(Deno.stat(project.path("agent.yaml")));
});

/** A registry with one package. */
class Registry implements AsyncDisposable {
  readonly #server: Deno.HttpServer<Deno.NetAddr>;
  #stopped = false;

  private constructor(
    readonly archive: Uint8Array<ArrayBuffer>,
    readonly integrity: string,
  ) {
    const serve = (request: Request) => this.#answer(request);
    this.#server = Deno.serve({ port: 0, onListen() {} }, serve);
  }

  static async serve(code: string, integrity?: string): Promise<Registry> {
    const archive = await pack(code);
    const hash = createHash("sha512").update(archive).digest("base64");
    return new Registry(archive, integrity ?? `sha512-${hash}`);
  }

  get url(): string {
    return `http://127.0.0.1:${this.#server.addr.port}/npm`;
  }

  async stop(): Promise<void> {
    if (!this.#stopped) await this.#server.shutdown();
    this.#stopped = true;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }

  #answer(request: Request): Response {
    switch (new URL(request.url).pathname) {
      case "/npm/@our%2fhello/latest":
      case "/npm/@our%2fhello/1.2.3":
        return Response.json({
          version: "1.2.3",
          dist: { integrity: this.integrity, tarball: `${this.url}/hello.tgz` },
        });
      case "/npm/hello.tgz":
        return new Response(this.archive);
      default:
        return new Response("no", { status: 404 });
    }
  }
}

async function pack(code: string): Promise<Uint8Array<ArrayBuffer>> {
  const dir = await Deno.makeTempDir();
  try {
    await Deno.mkdir(join(dir, "package/dist"), { recursive: true });
    await Deno.writeTextFile(join(dir, "package/dist/index.js"), code);
    const exports = { ".": { import: "./dist/index.js" } };
    await Deno.writeTextFile(
      join(dir, "package/package.json"),
      JSON.stringify({ name: "@our/hello", version: "1.2.3", exports }),
    );
    const { success, stdout } = await new Deno.Command("tar", {
      args: ["-czf", "-", "-C", dir, "package"],
    }).output();
    assert(success);
    return stdout;
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
}

async function ran(project: Project): Promise<boolean> {
  const names = await Array.fromAsync(Deno.readDir(project.dir));
  return names.some(({ name }) => name === "ran");
}
