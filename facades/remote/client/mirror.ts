import type { Update } from "../../../core/event.ts";
import { empty, type SessionState } from "../../../core/fold.ts";
import type {
  EventMessage,
  Placed,
  ServerMessage,
  SessionInfo,
  StructuredReplay,
} from "../wire.ts";
import { adoptPassing, adoptState } from "./adopt.ts";
import { Notes } from "./notes.ts";
import { IDLE, type Passing } from "./passing.ts";
import { readAll } from "./reading.ts";
import type { View } from "./view.ts";

/** Where a copy stands in the server's record. */
export interface Position {
  readonly epoch: string;
  readonly since: number;
}

/** What is kept of a session on this side, to be shown before the server is reached. */
export interface Copy {
  readonly session: string;
  readonly state: SessionState;
  readonly info?: SessionInfo;
  readonly position?: Position;
}

/** How a mirror changed. */
export interface Change {
  /** It happened now; else it is a replay, of all or of what was missing. */
  readonly live: boolean;
  readonly updates: readonly Update[];
  readonly before: Omit<View, "pending">;
  readonly after: Omit<View, "pending">;
}

/** Live events that may wait behind a replay; past that it is asked for anew. */
const MAX_LATER = 10_000;

/**
 * A copy of one session, made of what the server says. A replay is built aside
 * and takes the place of the copy when it is whole, so there is never a mixture.
 */
export class Mirror {
  readonly #changed: (change: Change) => void;
  readonly #notes = new Notes();
  #view: Omit<View, "pending">;
  #position: Position | undefined;
  #building: Building | undefined;
  #behind = false; // a replay is needed, and was asked for
  #farewell: string | undefined; // told once the record of what comes next is here

  constructor(
    from: { readonly session: string } & Partial<Copy>,
    changed: (change: Change) => void = () => {},
  ) {
    this.#changed = changed;
    this.#position = from.position;
    this.#view = {
      session: from.session,
      state: from.state ?? empty(),
      info: from.info,
      replaying: false,
      ...IDLE,
      notes: [],
      presence: 0,
    };
  }

  /** All of the view but what is on its way. */
  get view(): Omit<View, "pending"> {
    return this.#view;
  }

  /** What the next attach may ask to go on from; undefined asks for all. */
  get position(): Position | undefined {
    return this.#position;
  }

  /** What is worth keeping. */
  get copy(): Copy {
    const { session, state, info } = this.#view;
    return {
      session,
      state,
      ...(info && { info }),
      ...(this.#position && { position: this.#position }),
    };
  }

  /** An attach was sent: what comes before its replay is of no use. */
  asked(): void {
    this.#behind = true;
    this.#building = undefined;
    this.#show({ replaying: true });
  }

  /** The connection is gone, and half a replay with it. */
  lost(): void {
    this.#behind = false;
    this.#building = undefined;
    this.#show({ replaying: false, presence: 0 });
  }

  /** The server has no such session any more; the line says so. What was shown can still be read. */
  end(text: string): void {
    this.lost();
    this.#position = undefined;
    this.#show({ ...IDLE, gone: true });
    this.#say(text);
  }

  /** There will be no replay; the line says why. */
  fail(text: string): void {
    this.lost();
    const { notes, state } = this.#view;
    const note = { after: state.seq, level: "error", text } as const;
    this.#show({ notes: [...notes, note] });
  }

  /** The session goes on under another id; its replay follows. */
  rename(to: string): void {
    this.#position = undefined;
    this.#show({ session: to });
    this.asked();
  }

  /** Takes a message in; true when something is missing, and an attach is to be sent. */
  receive(message: ServerMessage): boolean {
    if (!("session" in message) || message.session !== this.#view.session) {
      return false;
    }
    if (this.#view.gone) return false;
    switch (message.type) {
      case "structured_replay":
        return this.#slice(message);
      case "event":
        return this.#event(message);
      case "state":
        this.#inform(message.state);
        return false;
      case "presence":
        this.#show({ presence: message.count });
        return false;
      case "gone":
        if (message.to === undefined) this.end(REMOVED);
        else this.#farewell = BEGUN_ANEW;
        return false;
      default:
        return false;
    }
  }

  #slice(slice: StructuredReplay): boolean {
    if (slice.seq === 0) {
      const { since } = slice;
      const fits = since === undefined ||
        this.#position?.epoch === slice.epoch && this.#position.since === since;
      if (!fits) return this.#restart();
      this.#building = {
        epoch: slice.epoch,
        fresh: since === undefined,
        next: 0,
        updates: [],
        later: [],
      };
      this.#show({ replaying: true });
    }
    const building = this.#building;
    // The rest of a replay whose beginning was not for us.
    if (!building) return false;
    if (building.epoch !== slice.epoch || building.next !== slice.seq) {
      return this.#restart();
    }
    building.next++;
    for (const { event } of slice.events) building.updates.push(event);
    return slice.last ? this.#swap(building, slice) : false;
  }

  // Nothing that was there before is mixed in: the state below is new, or goes on from the old one.
  #swap(
    building: Building,
    { epoch, truncated, state: info }: StructuredReplay,
  ) {
    const { updates, fresh, later } = building;
    const before = this.#view;
    const start = fresh ? { ...empty(), truncated } : before.state;
    const read = readAll({ state: start, passing: IDLE }, updates);
    const state = adoptState(
      fresh
        ? { ...read.state, truncated: read.state.truncated || truncated }
        : read.state,
      info,
    );
    this.#building = undefined;
    this.#behind = false;
    this.#position = { epoch, since: info.recordSeq };
    this.#notes.reset();
    this.#show({
      state,
      info,
      ...adoptPassing(read.passing, state, info),
      replaying: false,
      presence: info.presence,
      ...(fresh && { notes: [] }),
    });
    this.#changed({ live: false, updates, before, after: this.#view });
    if (this.#farewell) this.#say(this.#farewell);
    this.#farewell = undefined;
    return later.some((event) => this.#event(event));
  }

  #event(message: EventMessage): boolean {
    if (this.#building) {
      this.#building.later.push(message);
      return this.#building.later.length > MAX_LATER && this.#restart();
    }
    const { position } = this;
    if (!position || this.#behind || message.seq <= position.since) {
      return false;
    }
    if (message.seq > position.since + 1) return this.#restart();
    this.#position = { ...position, since: message.seq };
    this.#happen(message);
    return false;
  }

  #happen({ event }: Placed): void {
    const before = this.#view;
    const reading = { state: before.state, passing: this.#passing() };
    const now = readAll(reading, [event]);
    this.#show({
      state: now.state,
      ...now.passing,
      notes: this.#notes.add(this.#view.notes, event, now.state.seq),
    });
    const after = this.#view;
    this.#changed({ live: true, updates: [event], before, after });
  }

  // As if the server had said it.
  #say(text: string): void {
    const { seq } = this.#view.state;
    this.#happen({ seq, event: { type: "notice", level: "warning", text } });
  }

  #passing(): Passing {
    const { running, partial, tools, approvals } = this.#view;
    return { running, partial, tools, approvals };
  }

  #inform(info: SessionInfo): void {
    if (this.#building || this.#behind) return; // the replay says it again
    const { state } = this.#view;
    // What was said of another moment of the record is not what it amounts to now.
    const same = info.recordSeq === this.#position?.since;
    this.#show({
      info,
      presence: info.presence,
      ...(same && { state: adoptState(state, info) }),
    });
  }

  #restart(): true {
    this.#building = undefined;
    this.#behind = true;
    return true;
  }

  #show(change: Partial<Omit<View, "pending">>): void {
    this.#view = { ...this.#view, ...change };
  }
}

const REMOVED =
  "This conversation was removed: what you see is all that is left of it, until you leave";

const BEGUN_ANEW =
  "A new conversation was begun here on another screen; the one before is in the list";

interface Building {
  readonly epoch: string;
  readonly fresh: boolean;
  next: number;
  readonly updates: Update[];
  readonly later: EventMessage[];
}
