import assert from "node:assert/strict";
import { Agent } from "../../../../core/agent.ts";
import { openRemoteAgent } from "../../../../facades/remote/client/open_remote_agent.ts";
import { type FacadeDriver, facadeSuite } from "../../../facade_suite.ts";
import { HeldTimers } from "../../../held_timers.ts";
import { ScriptedModel } from "../../../scripted_model.ts";
import { until } from "../../../until.ts";
import { plainDriver, plainSkips } from "../../terminal/plain_driver.ts";
import { remoteDriver } from "./driver.ts";
import { close, serve, TOKEN } from "./lab.ts";
import { Network } from "./network.ts";

facadeSuite("a remote client", remoteDriver);

facadeSuite("a terminal attached to a server", attachedDriver, {
  ...plainSkips,
  "runs no tool that is denied": "off a TTY another screen answers",
});

Deno.test("a terminal attached to a server gives up in time when it is told to", async () => {
  const model = new ScriptedModel([
    (_request, signal) =>
      new Promise((_resolve, reject) =>
        signal.addEventListener("abort", () => reject(signal.reason))
      ),
  ]);
  await using agent = new Agent({ cwd: "/project", model });
  const server = await serve(agent);
  using patience = new HeldTimers(60_000);
  await using network = new Network(server.port);
  const remote = await openRemoteAgent({
    url: `http://127.0.0.1:${network.port}/`,
    token: TOKEN,
    cwd: (there) => there,
    patience: 60_000,
  });
  const facade = await plainDriver(remote);
  const asked = facade.ask("anybody?");
  await until(() => model.requests.length > 0);
  network.to = 1;
  network.cut();
  await until(async () => /Connection lost/.test(await facade.shown()));
  patience.fire();
  await asked;
  assert.match(
    await facade.shown(),
    /Connection lost[^]*Cannot go on: no server for 60 seconds/,
  );
  await facade[Symbol.asyncDispose]();
  remote.close();
  await close(server);
});

/** A person at `mm attach`, off a TTY. */
async function attachedDriver(
  agent: Agent,
  id?: string,
): Promise<FacadeDriver> {
  const server = await serve(agent);
  const remote = await openRemoteAgent({
    url: `http://127.0.0.1:${server.port}/`,
    token: TOKEN,
    cwd: (there) => there,
  });
  return await plainDriver(remote, id, async () => {
    remote.close();
    await close(server);
  });
}
