import { errorLine } from "../../core/error.ts";
import type { Desk } from "./desk.ts";
import { EXTENSIONS } from "./extensions.ts";
import { fault } from "./fault.ts";
import { checked, type Method, method } from "./method.ts";
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
} from "./params.ts";
import type { Service } from "./wire/connection.ts";
import { RequestError } from "./wire/request_error.ts";

/** Answers what is promised, and nothing before `initialize`. */
export function serviceOf(desk: Desk): Service {
  let initialized = false;
  return {
    async answer(name, params, signal) {
      try {
        if (!initialized && name !== "initialize") throw tooEarly();
        const run = Object.hasOwn(METHODS, name) && METHODS[name];
        if (!run) throw new RequestError(-32601, "There is no such method");
        const result = await run(desk, params, signal);
        initialized = true;
        return result;
      } catch (error) {
        throw fault(error);
      }
    },
    hear(name, params) {
      if (name !== "session/cancel") return;
      try {
        desk.find(checked(OfSession, params).sessionId)?.cancel();
      } catch (error) {
        console.error(`Cannot heed ${name}:`, errorLine(error));
      }
    },
  };
}

const METHODS: Readonly<Record<string, Method>> = {
  initialize: method(Initialize, (desk, params) => desk.initialize(params)),
  authenticate: method(
    Authenticate,
    (desk, { methodId }) => desk.authenticate(methodId),
  ),
  "session/new": method(New, (desk, params) => desk.create(params)),
  "session/load": method(Load, (desk, params) => desk.load(params)),
  "session/resume": method(Resume, (desk, params) => desk.resume(params)),
  "session/list": method(List, (desk, params) => desk.list(params)),
  "session/close": method(OfSession, async (desk, { sessionId }) => {
    await desk.close(sessionId);
    return {};
  }),
  "session/delete": method(OfSession, async (desk, { sessionId }) => {
    await desk.remove(sessionId);
    return {};
  }),
  // At once: no cancel that comes behind it may overtake it.
  "session/prompt": method(
    Prompt,
    (desk, { sessionId, prompt }, signal) =>
      desk.conversation(sessionId).prompt(prompt, signal),
  ),
  "session/set_mode": method(SetMode, async (desk, { sessionId, modeId }) => {
    const conversation = desk.conversation(sessionId);
    conversation.setMode(modeId);
    await conversation.told();
    return {};
  }),
  "session/set_config_option": method(
    SetOption,
    async (desk, { sessionId, configId, value }) => {
      const conversation = desk.conversation(sessionId);
      await conversation.setOption(configId, value);
      await conversation.told();
      return { configOptions: conversation.configOptions };
    },
  ),
  ...EXTENSIONS,
};

function tooEarly(): RequestError {
  return new RequestError(-32600, "Invalid request: initialize comes first");
}
