import assert from "node:assert/strict";
import { errorRaw, type ModelError } from "../../core/error.ts";
import { anthropicModel, failure, openaiModel } from "./models.ts";

const SECRETS = ["sk-key-4711", "tok-1/e=", "cookie-4711", "query 4711&"];

const options = {
  apiKey: SECRETS[0],
  headers: {
    "x-token": `Bearer ${SECRETS[1]}`,
    cookie: `theme=dark; sid=${SECRETS[2]}`,
  },
};

/** A server that answers by `say`, told all that it was sent. */
function echo(say: (told: string) => Response) {
  const server = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen: () => {} },
    (request) => {
      const { searchParams, search } = new URL(request.url);
      const token = request.headers.get("x-token");
      const headers = [token, ...request.headers.values()].join(" ");
      return say(
        `${headers} ${search} ${[...searchParams.values()].join(" ")}`,
      );
    },
  );
  const query = new URLSearchParams({ v: "1", code: SECRETS[3]! });
  return {
    url: `http://127.0.0.1:${server.addr.port}/v1?${query}`,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

const json = (body: unknown, status: number) =>
  new Response(JSON.stringify(body), {
    status,
    headers: { "content-type": "application/json" },
  });

const ways: Readonly<Record<string, (told: string) => Response>> = {
  "an error": (told) => json({ error: { message: told } }, 400),
  // Where a message is cut, half a secret must not be left.
  "a long error": (told) =>
    json({ error: { message: "x".repeat(285) + told } }, 400),
  "a long body": (told) =>
    new Response("x".repeat(3985) + told, { status: 400 }),
  "an error that may pass": (told) => json({ error: { message: told } }, 503),
  "a refusal": (told) => json({ error: { message: told } }, 401),
  "a redirection": (told) =>
    new Response(null, {
      status: 302,
      headers: { location: `/login?${encodeURI(told)}` },
    }),
  "a web page": (told) => new Response(`<html>${told}</html>`),
  "nonsense": (told) => json({ told }, 200),
  "a stream of nonsense": (told) =>
    new Response(`data: ${told}\n\n`, {
      headers: { "content-type": "text/event-stream" },
    }),
};

for (const [what, say] of Object.entries(ways)) {
  Deno.test(`no key, header or query of the address is shown that a server repeats in ${what}`, async () => {
    await using server = echo(say);
    for (const make of [openaiModel, anthropicModel]) {
      const model = make({ ...options, baseURL: server.url, retries: 1 });
      const error = await failure(model);
      const shown = [
        error.message,
        errorRaw(error as ModelError),
        ...error.deltas.map((delta) => JSON.stringify(delta)),
      ].join("\n");
      assert.match(shown, /\*\*\*|redirects|x{200}/);
      for (const part of ["sk-k", "tok-1", "cookie-4", "query 4", "query+4"]) {
        assert(!shown.includes(part), `${part} in ${shown}`);
      }
    }
  });
}
