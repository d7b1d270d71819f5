import {
  type AuthMethod,
  type ClientCapabilities,
  type InitializeRequest,
  type InitializeResponse,
  PROTOCOL_VERSION,
} from "@agentclientprotocol/sdk";
import type { Model } from "../../core/model.ts";
import { EXTENSIONS } from "./extensions.ts";

/** The answer to `initialize`: our only protocol version, and what is really there. */
export function initializeResponse(
  { clientCapabilities }: InitializeRequest,
  { accepts = {} }: Model,
  version: string,
): InitializeResponse {
  return {
    protocolVersion: PROTOCOL_VERSION,
    agentInfo: { name: "mm", title: "mm", version },
    agentCapabilities: {
      loadSession: true,
      promptCapabilities: {
        image: accepts.image ?? false,
        audio: accepts.audio ?? false,
        embeddedContext: true,
      },
      mcpCapabilities: { http: true, sse: true },
      sessionCapabilities: {
        list: {},
        delete: {},
        resume: {},
        close: {},
        additionalDirectories: {},
      },
      _meta: { mm: { methods: Object.keys(EXTENSIONS) } },
    },
    authMethods: authMethods(clientCapabilities ?? {}),
  };
}

// Keys come from the environment or agent.yaml; mm itself keeps none, so there is no logout.
function authMethods({ auth }: ClientCapabilities): AuthMethod[] {
  const check: AuthMethod = {
    id: "key",
    name: "API key",
    description:
      "Give mm the key of your model server: in the environment, or in agent.yaml (mm init)",
  };
  if (!auth?.terminal) return [check];
  return [{
    type: "terminal",
    id: "setup",
    name: "Set up mm",
    description: "Choose a model server and check its key, in a terminal",
    args: ["--setup"],
  }, check];
}
