import { agent, type AgentApp, methods } from "@agentclientprotocol/sdk";
import type { Desk } from "./desk.ts";
import { extensionParams, EXTENSIONS } from "./extensions.ts";
import { answer } from "./fault.ts";

/** Every method that is promised, and no other. `desk` is there once a client is connected. */
export function makeApp(desk: () => Desk): AgentApp {
  const { initialize, authenticate, session } = methods.agent;
  const app = agent({ name: "mm" })
    // Before the prompt's handler is at its turn, no cancel may overtake it: keep this order.
    .onRequest(
      session.prompt,
      answer(({ params, signal }) =>
        desk().conversation(params.sessionId).prompt(params.prompt, signal)
      ),
    )
    .onNotification(session.cancel, ({ params }) => {
      desk().find(params.sessionId)?.cancel();
    })
    .onRequest(initialize, answer(({ params }) => desk().initialize(params)))
    .onRequest(
      authenticate,
      answer(({ params }) => desk().authenticate(params.methodId)),
    )
    .onRequest(session.new, answer(({ params }) => desk().create(params)))
    .onRequest(session.load, answer(({ params }) => desk().load(params)))
    .onRequest(session.resume, answer(({ params }) => desk().resume(params)))
    .onRequest(session.list, answer(({ params }) => desk().list(params ?? {})))
    .onRequest(
      session.close,
      answer(async ({ params }) => {
        await desk().close(params.sessionId);
        return {};
      }),
    )
    .onRequest(
      session.delete,
      answer(async ({ params }) => {
        await desk().remove(params.sessionId);
        return {};
      }),
    )
    .onRequest(
      session.setMode,
      answer(async ({ params }) => {
        const conversation = desk().conversation(params.sessionId);
        conversation.setMode(params.modeId);
        await conversation.told();
        return {};
      }),
    )
    .onRequest(
      session.setConfigOption,
      answer(async ({ params }) => {
        const conversation = desk().conversation(params.sessionId);
        await conversation.setOption(params.configId, params.value);
        await conversation.told();
        return { configOptions: conversation.configOptions };
      }),
    );
  for (const [name, run] of Object.entries(EXTENSIONS)) {
    app.onRequest(
      name,
      extensionParams,
      answer(({ params }) => run(desk(), params)),
    );
  }
  return app;
}
