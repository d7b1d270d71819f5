import assert from "node:assert/strict";
import fc from "fast-check";
import { Agent } from "../../core/agent.ts";
import type { SessionEvent } from "../../core/event.ts";
import { MemoryStore } from "../../core/memory_store.ts";
import type { Model } from "../../core/model.ts";
import type { ServedTools } from "../../core/server.ts";
import type { Session } from "../../core/session.ts";

const STORED = "20260101-000000-aaaaaaaa";
const FREE = "20260101-000000-bbbbbbbb";

const model: Model = {
  name: "m",
  // deno-lint-ignore require-yield -- it says all at once
  async *stream() {
    return { content: "yes", stopReason: "end_turn" };
  },
};

/** A store whose answers come in any order, and after what they are about has changed. */
class LateStore extends MemoryStore {
  wait: () => Promise<void> = () => Promise.resolve();

  override async read(id: string) {
    const state = await super.read(id);
    await this.wait();
    return state;
  }

  override async append(id: string, events: readonly SessionEvent[]) {
    await this.wait();
    await super.append(id, events);
  }

  override async move(from: string, to: string) {
    await this.wait();
    await super.move(from, to);
  }

  override async remove(id: string) {
    await this.wait();
    await super.remove(id);
  }
}

/** Servers that take their time to stop, and a session to close with them. */
function servers(wait: () => Promise<void>): ServedTools {
  return { tools: [], problems: [], [Symbol.asyncDispose]: wait };
}

const step = fc.record({
  id: fc.constantFrom(STORED, FREE),
  act: fc.constantFrom("look", "prompt", "rotate", "leave", "remove"),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** Facades that come, do something and go, as often as they like, over one agent. */
const facades = fc.array(fc.array(step, { minLength: 2, maxLength: 5 }), {
  minLength: 3,
  maxLength: 5,
});

Deno.test("two facades never have two live objects of one conversation, whatever comes when", async () => {
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), facades, async (s, all) => {
      const store = new LateStore();
      await new Agent({ cwd: "/x", model, store }).create({}, STORED)
        .prompt("before");
      const wait = () => s.schedule(Promise.resolve());
      store.wait = wait;
      const bundle = { serve: () => Promise.resolve(servers(wait)) };
      const agent = new Agent({ cwd: "/x", model, store, bundles: [bundle] });
      const seen = new Set<Session>();
      await s.waitFor(Promise.all(all.map((steps) => visit(steps))));

      async function visit(steps: readonly Step[]): Promise<void> {
        for (const { id, act } of steps) {
          if (act === "remove") await agent.remove(id);
          else await use(id, act);
        }
      }

      async function use(id: string, act: Step["act"]): Promise<void> {
        const session = await agent.session(id) ?? made(id);
        if (!session) return;
        seen.add(session);
        const stop = session.subscribe(() => {});
        check();
        if (act === "prompt") await session.prompt("?");
        if (act === "rotate") await session.rotate();
        if (act === "leave") await session.leave();
        check();
        stop();
        await agent.release(session);
      }

      // Another facade may have been quicker by now.
      function made(id: string): Session | undefined {
        const taken = agent.live().some((session) => session.id === id);
        return taken ? undefined : agent.create({}, id);
      }

      function check(): void {
        const watched = [...seen].filter((session) => session.watched);
        const ids = watched.map((session) => session.id);
        assert.deepEqual(ids, [...new Set(ids)]);
        assert.deepEqual(
          new Set(agent.live()),
          new Set(agent.live()).union(new Set(watched)),
        );
        // Nobody wrote behind another's back, except to what was removed.
        if (all.flat().some(({ act }) => act === "remove")) return;
        for (const id of ids) assert.ok(id === STORED || id === FREE, id);
      }
    }),
    { numRuns: 1000 },
  );
});
