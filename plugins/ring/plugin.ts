import { _default, int, maximum, minimum, strictObject } from "zod/mini";
import { defineStore } from "../../core/plugin.ts";
import { DEFAULT_BOUNDS, RingStore } from "./ring_store.ts";

/** The newest events of each session, in memory: nothing survives the process. */
export const plugin = defineStore({
  name: "ring",
  options: strictObject({
    events: _default(
      int().check(minimum(1), maximum(1e7)),
      DEFAULT_BOUNDS.events,
    ),
    bytes: _default(
      int().check(minimum(1), maximum(2 ** 32)),
      DEFAULT_BOUNDS.bytes,
    ),
  }),
  open: (bounds) => new RingStore(bounds),
});
