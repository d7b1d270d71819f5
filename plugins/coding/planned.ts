import type { ToolContext } from "../../core/tool.ts";
import type { Place } from "./place.ts";
import { locate, readAccess } from "./place.ts";

interface Promised {
  readonly real: string;
  readonly print: string;
}

const KEPT = 200;

/** Remembers what was planned, so that a run does that and nothing else. */
export class Planned {
  readonly project: string;
  #calls = new Map<string, Promised>();

  constructor(project: string) {
    this.project = project;
  }

  /** Finds `path` for a plan and remembers where it led; `print` stands for what was there. */
  async plan(
    path: string,
    context: ToolContext,
    print: (place: Place) => Promise<string> | string = () => "",
  ): Promise<Place> {
    const place = await locate(path, context, this.project);
    this.#calls.set(key(context), {
      real: place.real,
      print: await print(place),
    });
    for (const old of this.#calls.keys()) {
      if (this.#calls.size <= KEPT) break;
      this.#calls.delete(old); // denied long ago
    }
    return place;
  }

  /** Finds `path` again for the run; throws when it leads elsewhere than planned, or was not planned and may not be read unasked. */
  async run(path: string, context: ToolContext): Promise<Place & Promised> {
    const promised = this.#calls.get(key(context));
    this.#calls.delete(key(context));
    const place = await locate(path, context, this.project);
    const asPlanned = promised
      ? promised.real === place.real
      : readAccess(place).access === "auto";
    if (!asPlanned) {
      throw new Error(
        `"${place.shown}" leads elsewhere than when it was asked for: it was not touched`,
      );
    }
    return { ...place, print: promised?.print ?? "" };
  }
}

function key({ sessionId, toolCallId }: ToolContext): string {
  return `${sessionId}\n${toolCallId}`;
}
