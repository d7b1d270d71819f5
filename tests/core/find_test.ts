import assert from "node:assert/strict";
import { UserError } from "../../core/error.ts";
import { findSession } from "../../core/find.ts";
import { newId } from "../../core/id.ts";
import { talk } from "./setup.ts";

/** Three stored sessions, `apple` the oldest; the session of `t` is the one shown. */
async function three() {
  const t = talk(Array(3).fill("ok"));
  const ids: string[] = [];
  for (const question of ["apple pie", "banana 42", "apple tart"]) {
    const session = t.agent.create();
    await session.prompt(question);
    ids.push(session.id);
  }
  const [first = "", second = "", third = ""] = ids;
  return { t, first, second, third };
}

Deno.test("findSession() counts from the latest, and not the one that is shown", async () => {
  const { t, first, second, third } = await three();
  await using _ = t;
  assert.equal(await findSession(t.agent, "1"), third);
  assert.equal(await findSession(t.agent, "-1"), third);
  assert.equal(await findSession(t.agent, " 3 "), first);
  assert.equal(await findSession(t.agent, "1", third), second);
});

Deno.test("findSession() says when there is none to find", async () => {
  await using t = talk(["ok"]);
  const none = /^UserError: Cannot find session "-1": there is no /;
  await assert.rejects(findSession(t.agent, "-1"), none);
  const session = t.agent.create();
  await session.prompt("hi");
  await assert.rejects(findSession(t.agent, "-1", session.id), none);
  await assert.rejects(findSession(t.agent, "7", ""), /list them with/);
});

Deno.test("findSession() takes an id as it is, and the end of one", async () => {
  const { t, first } = await three();
  await using _ = t;
  const unknown = newId();
  assert.equal(await findSession(t.agent, unknown), unknown);
  assert.equal(await findSession(t.agent, first), first);
  assert.equal(await findSession(t.agent, first.slice(-6)), first);
});

Deno.test("findSession() takes text of a title, ignoring case, when one has it", async () => {
  const { t, first, second } = await three();
  await using _ = t;
  assert.equal(await findSession(t.agent, "PIE"), first);
  assert.equal(await findSession(t.agent, "42"), second);
  await assert.rejects(
    findSession(t.agent, "apple"),
    (error: Error) =>
      error instanceof UserError &&
      /^Cannot tell which session "apple" means: .*apple tart.*apple pie/
        .test(error.message),
  );
});

Deno.test("findSession() finds nothing by a number past the list, or by nothing", async () => {
  const { t } = await three();
  await using _ = t;
  for (const ref of ["7", "0", "", "  ", "cherry"]) {
    await assert.rejects(findSession(t.agent, ref), UserError, ref);
  }
});
