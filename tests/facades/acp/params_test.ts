import assert from "node:assert/strict";
import type { Schema } from "../../../core/plugin.ts";
import { checked } from "../../../facades/acp/method.ts";
import {
  Authenticate,
  Initialize,
  List,
  Load,
  New,
  OfSession,
  Prompt,
  Resume,
  SetMode,
  SetOption,
} from "../../../facades/acp/params.ts";
import { SdkAgent } from "./sdk_agent.ts";

const servers = [
  { name: "a", command: "b", args: ["c"], env: [{ name: "d", value: "e" }] },
  { type: "http", name: "a", url: "b", headers: [{ name: "c", value: "d" }] },
  { type: "sse", name: "a", url: "b", headers: [] },
];

const opening = {
  cwd: "/a",
  additionalDirectories: ["/b"],
  mcpServers: servers,
};

const _meta = { a: 1 };

/** What a client may send, in full, by method. */
const PARAMS: Readonly<Record<string, readonly [Schema, object]>> = {
  initialize: [Initialize, {
    protocolVersion: 1,
    clientCapabilities: {
      fs: { readTextFile: true, writeTextFile: true },
      session: { notices: {}, compaction: {} },
      auth: { terminal: true },
      terminal: true,
    },
    clientInfo: { name: "a", version: "b" },
  }],
  authenticate: [Authenticate, { methodId: "a" }],
  "session/new": [New, opening],
  "session/load": [Load, { ...opening, sessionId: "a" }],
  "session/resume": [Resume, { ...opening, sessionId: "a" }],
  "session/list": [List, { cwd: "/a", cursor: "b" }],
  "session/close": [OfSession, { sessionId: "a" }],
  "session/delete": [OfSession, { sessionId: "a" }],
  "session/prompt": [Prompt, {
    sessionId: "a",
    prompt: [
      { type: "text", text: "a", annotations: { audience: ["user"] }, _meta },
      { type: "image", data: "a", mimeType: "b", uri: "c" },
      { type: "audio", data: "a", mimeType: "b" },
      {
        type: "resource_link",
        uri: "a",
        name: "b",
        title: "c",
        description: "d",
        mimeType: "e",
        size: 1,
      },
      { type: "resource", resource: { uri: "a", mimeType: "b", text: "c" } },
      { type: "resource", resource: { uri: "a", mimeType: "b", blob: "c" } },
    ],
  }],
  "session/set_mode": [SetMode, { sessionId: "a", modeId: "b" }],
  "session/set_config_option": [SetOption, {
    sessionId: "a",
    configId: "b",
    value: "c",
  }],
};

Deno.test("params are taken and refused as ACP's own SDK does, whatever is left out or replaced", async () => {
  using sdk = new SdkAgent(Object.keys(PARAMS));
  for (const [method, [schema, whole]] of Object.entries(PARAMS)) {
    for (const params of [whole, ...variants(whole)]) {
      const line = `${method} ${JSON.stringify(params)}`;
      const taken = await sdk.takes(method, params);
      assert.equal(takes(schema, params), taken, line);
    }
  }
});

function takes(schema: Schema, params: unknown): boolean {
  try {
    checked(schema, params);
    return true;
  } catch {
    return false;
  }
}

/** `value` with one part left out or replaced, for each of its parts. */
function* variants(value: unknown): Generator<unknown> {
  yield* [null, 5, -1, 1.5, "x", true, [], {}];
  if (typeof value !== "object" || value === null) return;
  for (const [key, part] of Object.entries(value)) {
    const without = Object.entries(value).filter(([k]) => k !== key);
    if (!Array.isArray(value)) yield Object.fromEntries(without);
    for (const changed of variants(part)) {
      yield Array.isArray(value)
        ? value.with(Number(key), changed)
        : { ...value, [key]: changed };
    }
  }
}
