import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { TempDir } from "../../temp_dir.ts";
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
  await using registry = await Registry.serve(CODE, {
    integrity: "sha512-AAAA",
  });
  const env = { npm_config_registry: registry.url };
  const add = async (name: string) =>
    await project.mm(["plugin", "add", name, "--yes"], { env });
  const { code, stderr } = await add("npm:@our/hello");
  assert.equal(code, 1);
  assert.match(stderr, /has another hash than the registry says/);
  const gone = await add("npm:nothing");
  assert.equal(gone.code, 1);
  assert.match(gone.stderr, /the registry has no nothing@latest/);
  // Names that would be another address of the registry, or none.
  for (const name of ["npm:..", "npm:.", "npm:@our/..", "npm:a@b@c", "npm:"]) {
    const { code, stderr } = await add(name);
    assert.equal(code, 2, name);
    assert.match(stderr, /expected npm:<package> or npm:<package>@<version>/);
  }
  await assert.rejects(Deno.stat(project.path("agent.yaml")));
});

Deno.test("a private registry gets the token of the user's own .npmrc, and nobody else does", async () => {
  await using project = await Project.make({
    ".npmrc": "registry=http://127.0.0.1:1/\n", // the project's: not read
  });
  await using elsewhere = await Registry.serve(CODE);
  await using registry = await Registry.serve(CODE);
  const add = async (...lines: string[]) => {
    const own = [`@our:registry=${registry.url}`, ...lines];
    await project.write(".home/.npmrc", own.join("\n"));
    return await project.mm(["plugin", "add", "npm:@our/hello", "--yes"], {
      env: { OUR_TOKEN: "s3cret" },
    });
  };
  const { host } = new URL(registry.url);

  registry.wants = "Bearer s3cret";
  for (const lines of [[], [`//${host}/other/:_authToken=s3cret`]]) {
    const refused = await add(...lines);
    assert.equal(refused.code, 1);
    assert.match(
      refused.stderr,
      new RegExp(`refuses it \\(401\\): put the line //${host}/:_authToken=`),
    );
  }
  for (const path of ["", "/", "/npm", "/npm/"]) {
    const added = await add(`//${host}${path}:_authToken=\${OUR_TOKEN}`);
    assert.equal(added.code, 0, added.stderr);
  }
  registry.wants = "Basic bWU6bWU=";
  assert.equal((await add(`//${host}/:_auth="bWU6bWU="`)).code, 0);

  // An archive elsewhere, or a way there.
  registry.archives = elsewhere.url;
  const far = await add(`//${host}/:_auth=bWU6bWU=`);
  assert.equal(far.code, 0, far.stderr);
  registry.archives = registry.url;
  registry.sendsTo = elsewhere.url;
  assert.equal((await add(`//${host}/:_auth=bWU6bWU=`)).code, 0);
  assert.deepEqual(elsewhere.said, [null, null]);
});

Deno.test("a registry that does not say how much it sends is heard to a bound", async () => {
  await using project = await Project.make();
  await using registry = await Registry.serve(CODE);
  const env = { npm_config_registry: registry.url };
  const bounds = {
    "/npm/@our%2fhello/latest": /what is said of it is larger than 4 MiB/,
    "/npm/hello.tgz": /Cannot fetch "\S+": it is larger than 64 MiB/,
  };
  for (const [path, bound] of Object.entries(bounds)) {
    registry.floods = path;
    const args = ["plugin", "add", "npm:@our/hello", "--yes"];
    const { code, stderr } = await project.mm(args, { env });
    assert.equal(code, 1);
    assert.match(stderr, bound);
  }
});

Deno.test("a registry behind an authority of the user's own is reached as npm reaches it", async () => {
  await using project = await Project.make();
  await using registry = await Registry.serve(CODE, { tls: true });
  const add = (env: Readonly<Record<string, string>>) =>
    project.mm(["plugin", "add", "npm:@our/hello", "--yes"], {
      env: { npm_config_registry: registry.url, ...env },
    });
  const unknown = await add({});
  assert.equal(unknown.code, 1);
  assert.match(
    unknown.stderr,
    /no answer from 127\.0\.0\.1:\d+: invalid peer certificate: UnknownIssuer; name the file of the authority you trust by NODE_EXTRA_CA_CERTS, or set DENO_TLS_CA_STORE=system$/m,
  );
  const absent = await add({ NODE_EXTRA_CA_CERTS: project.path("none.pem") });
  assert.match(
    absent.stderr,
    /the certificates in ".*none\.pem" cannot be read/,
  );
  const file = join(TLS, "ca.pem");
  await project.write(".home/.npmrc", `cafile=${file}\n`);
  assert.equal((await add({})).code, 0);
  await project.write(".home/.npmrc", "");
  for (const name of ["NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE"]) {
    const { code, stderr } = await add({ [name]: file });
    assert.equal(code, 0, stderr);
  }
  await registry.stop();
  const nobody = await add({});
  assert.match(nobody.stderr, /no answer from 127\.0\.0\.1:\d+: .*refused/);
});

const TLS = join(import.meta.dirname!, "../remote/tls");

/** A registry with one package. */
class Registry implements AsyncDisposable {
  readonly #server: Deno.HttpServer<Deno.NetAddr>;
  #stopped = false;
  /** What it is told by each request. */
  readonly said: (string | null)[] = [];
  /** What it has to be told. */
  wants: string | undefined;
  /** Where it says its archives are; default: with itself. */
  archives: string | undefined;
  /** Who asks for an archive is sent there. */
  sendsTo: string | undefined;

  /** What it answers without an end in sight. */
  floods: string | undefined;

  private constructor(
    readonly archive: Uint8Array<ArrayBuffer>,
    readonly integrity: string,
    readonly tls: boolean,
  ) {
    const serve = (request: Request) => this.#answer(request);
    const [cert, key] = ["cert", "key"].map((name) =>
      Deno.readTextFileSync(join(TLS, `${name}.pem`))
    );
    this.#server = Deno.serve(
      { port: 0, onListen() {}, ...tls && { cert, key } },
      serve,
    );
  }

  static async serve(
    code: string,
    { integrity, tls = false }: { integrity?: string; tls?: boolean } = {},
  ): Promise<Registry> {
    const archive = await pack(code);
    const hash = createHash("sha512").update(archive).digest("base64");
    return new Registry(archive, integrity ?? `sha512-${hash}`, tls);
  }

  get url(): string {
    const scheme = this.tls ? "https" : "http";
    return `${scheme}://127.0.0.1:${this.#server.addr.port}/npm`;
  }

  async stop(): Promise<void> {
    if (!this.#stopped) await this.#server.shutdown();
    this.#stopped = true;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }

  #answer(request: Request): Response {
    const said = request.headers.get("authorization");
    this.said.push(said);
    if (this.wants !== undefined && said !== this.wants) {
      return new Response("no", { status: 401 });
    }
    const archives = this.archives ?? this.url;
    const { pathname } = new URL(request.url);
    if (pathname === this.floods) return new Response(flood());
    switch (pathname) {
      case "/npm/@our%2fhello/latest":
      case "/npm/@our%2fhello/1.2.3":
        return Response.json({
          version: "1.2.3",
          dist: { integrity: this.integrity, tarball: `${archives}/hello.tgz` },
        });
      case "/npm/hello.tgz":
        if (this.sendsTo) {
          return Response.redirect(`${this.sendsTo}/hello.tgz`);
        }
        return new Response(this.archive);
      default:
        return new Response("no", { status: 404 });
    }
  }
}

/** 65 MiB, piece by piece. */
function flood(): ReadableStream<Uint8Array> {
  return ReadableStream.from((function* () {
    for (let n = 0; n < 65; n++) yield new Uint8Array(1024 ** 2);
  })());
}

async function pack(code: string): Promise<Uint8Array<ArrayBuffer>> {
  const exports = { ".": { import: "./dist/index.js" } };
  const files = {
    "package/package.json": JSON.stringify({
      name: "@our/hello",
      version: "1.2.3",
      exports,
    }),
    "package/dist/index.js": code,
  };
  await using dir = await TempDir.make();
  await Deno.mkdir(join(dir.path, "package/dist"), { recursive: true });
  for (const [name, text] of Object.entries(files)) {
    await Deno.writeTextFile(join(dir.path, name), text);
    // The archive of the same code is the same, whenever it is made.
    await Deno.utime(join(dir.path, name), 0, 0);
  }
  const { success, stdout } = await new Deno.Command("tar", {
    args: ["-czf", "-", "-C", dir.path, ...Object.keys(files)],
  }).output();
  assert(success);
  return stdout;
}

async function ran(project: Project): Promise<boolean> {
  const names = await Array.fromAsync(Deno.readDir(project.dir));
  return names.some(({ name }) => name === "ran");
}
