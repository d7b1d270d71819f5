import assert from "node:assert/strict";
import { Agent } from "../../../../core/agent.ts";
import { openRemoteAgent } from "../../../../facades/remote/client/open_remote_agent.ts";
import type { FacadeDriver } from "../../../facade_suite.ts";
import { ScriptedModel } from "../../../scripted_model.ts";
import { acpDriver } from "../../acp/driver.ts";
import { until } from "../../../until.ts";
import { plainDriver } from "../../terminal/plain_driver.ts";
import { clientDriver } from "./driver.ts";
import { close, connect, serve, TOKEN } from "./lab.ts";

Deno.test("one session is live in a terminal, an editor, a page and an attached terminal at once", async () => {
  const answers = ["By hand.", "By editor.", "By page.", "From afar."];
  await using agent = new Agent({
    cwd: Deno.cwd(),
    model: new ScriptedModel(answers),
  });
  const server = await serve(agent);
  const editor = await acpDriver(agent);
  const { id } = editor;
  const terminal = await plainDriver(agent, id);
  const page = await clientDriver(connect(server), id);
  const remote = await openRemoteAgent({
    url: `http://127.0.0.1:${server.port}/`,
    token: TOKEN,
    cwd: (there) => there,
  });
  const attached = await plainDriver(remote, id);
  const all: readonly FacadeDriver[] = [terminal, editor, page, attached];
  for (const [i, facade] of all.entries()) {
    await facade.ask(`question ${i}`);
    const answer = answers[i] ?? "";
    for (const other of all) await shows(other, answer);
  }
  for (const facade of all) {
    const text = await facade.shown();
    const places = answers.map((answer) => text.indexOf(answer));
    assert.deepEqual(places, places.toSorted((a, b) => a - b), text);
    for (const answer of answers) {
      assert.equal(text.split(answer).length, 2, `"${answer}" is shown once`);
    }
    assert.equal(facade.id, id);
    await facade[Symbol.asyncDispose]();
  }
  remote.close();
  await close(server);
  assert.equal((await agent.read(id))?.turns, 4);
});

async function shows(facade: FacadeDriver, answer: string): Promise<void> {
  await until(async () => (await facade.shown()).includes(answer), answer);
}
