import type { $ZodType } from "zod/v4/core";
import type { Command } from "./command.ts";
import type { Compactor } from "./compaction.ts";
import type { FacadeHost } from "./facade.ts";
import type { Message } from "./message.ts";
import type { Model } from "./model.ts";
import type { ServedTools, ServeRequest } from "./server.ts";
import type { Session } from "./session.ts";
import type { Store } from "./store.ts";
import type { Tool } from "./tool.ts";

/** Any zod schema (zod or zod/mini): it checks agent.yaml and types the options. */
export type Schema = $ZodType;

/** What it gives, defaults filled in. */
export type Checked<S extends Schema> = S["_zod"]["output"];

/** What a plugin may ask of the program it runs in. */
export interface PluginHost {
  /** The project's folder, absolute. Its `.mm` folder is the plugins' to write in. */
  readonly project: string;
  /** An environment variable; secrets come from here alone. */
  env(name: string): string | undefined;
  /** Of mm, for servers that ask who calls. */
  readonly version: string;
  /** Shell command prefixes that run without asking (`approvals.commands`). */
  readonly commands: readonly string[];
  /** The clock. */
  readonly now: () => Date;
}

/**
 * The version of what plugins and mm expect of each other. It grows when a
 * plugin made for an earlier one may not work any more.
 */
export const API_VERSION = 1;

/** What every plugin may state. */
export interface Versioned {
  /** The API_VERSION it was made for, as a number. Default: 1. */
  readonly apiVersion?: number;
}

/** Keeps sessions. */
export interface StorePlugin<S extends Schema = Schema> extends Versioned {
  /** What it brings. */
  readonly kind: "store";
  /** As in agent.yaml. */
  readonly name: string;
  /** Checks its options in agent.yaml, and types them. */
  readonly options: S;
  /** Makes it from checked options. */
  open(options: Checked<S>, host: PluginHost): Store | Promise<Store>;
}

/** Answers. `open` connects to nothing: a server that is down is a failed turn, not a failed start. */
export interface ModelPlugin<S extends Schema = Schema> extends Versioned {
  /** What it brings. */
  readonly kind: "model";
  /** As in agent.yaml. */
  readonly name: string;
  /** Checks its options in agent.yaml, and types them. */
  readonly options: S;
  /** Makes it from checked options. */
  open(options: Checked<S>, host: PluginHost): Model | Promise<Model>;
}

/** Shortens. */
export interface CompactorPlugin<S extends Schema = Schema> extends Versioned {
  /** What it brings. */
  readonly kind: "compactor";
  /** As in agent.yaml. */
  readonly name: string;
  /** Checks its options in agent.yaml, and types them. */
  readonly options: S;
  /** Makes it from checked options. */
  open(options: Checked<S>, host: PluginHost): Compactor | Promise<Compactor>;
}

/** A way in. `run` resolves to the exit code. */
export interface FacadePlugin<S extends Schema = Schema> extends Versioned {
  /** What it brings. */
  readonly kind: "facade";
  /** As in agent.yaml. */
  readonly name: string;
  /** Checks its options in agent.yaml, and types them. */
  readonly options: S;
  /** Runs it to its end. */
  run(options: Checked<S>, host: FacadeHost): Promise<number>;
}

/** The two hooks there are; both run in plugin order. */
export interface Hooks {
  /** As in agent.yaml, where they come from there: what they fail at is told by this name. */
  readonly name?: string;
  /** Changes what the model is about to read; the record is not touched. */
  context?(
    messages: readonly Message[],
    session: Session,
  ): readonly Message[] | Promise<readonly Message[]>;
  /** Runs before a session is rotated; throwing vetoes it, and the message says why. */
  beforeRotate?(session: Session): void | Promise<void>;
}

/** What a bundle brings. */
export interface Bundle extends Hooks {
  /** What the model may call. */
  readonly tools?: readonly Tool[];
  /** What the user may type. */
  readonly commands?: readonly Command[];
  /**
   * Starts the servers of one session: those its client brought, and those of
   * the configuration. One that fails is a problem told, never an exception.
   */
  serve?(request: ServeRequest, signal: AbortSignal): Promise<ServedTools>;
}

/** Tools, commands and hooks that belong together. */
export interface BundlePlugin<S extends Schema = Schema> extends Versioned {
  /** What it brings. */
  readonly kind: "plugin";
  /** As in agent.yaml. */
  readonly name: string;
  /** Checks its options in agent.yaml, and types them. */
  readonly options: S;
  /** Makes it from checked options. */
  open(options: Checked<S>, host: PluginHost): Bundle | Promise<Bundle>;
}

/** Any plugin. */
export type Plugin =
  | StorePlugin
  | ModelPlugin
  | CompactorPlugin
  | FacadePlugin
  | BundlePlugin;

/** Where plugins come from: name → lazy import. */
export type PluginTable = Readonly<Record<string, () => Promise<Plugin>>>;

/** Adds the kind and infers the options; does nothing else. */
export function defineStore<S extends Schema>(
  plugin: Omit<StorePlugin<S>, "kind">,
): StorePlugin {
  return { kind: "store", ...plugin } as unknown as StorePlugin;
}

/** Adds the kind and infers the options; does nothing else. */
export function defineModel<S extends Schema>(
  plugin: Omit<ModelPlugin<S>, "kind">,
): ModelPlugin {
  return { kind: "model", ...plugin } as unknown as ModelPlugin;
}

/** Adds the kind and infers the options; does nothing else. */
export function defineCompactor<S extends Schema>(
  plugin: Omit<CompactorPlugin<S>, "kind">,
): CompactorPlugin {
  return { kind: "compactor", ...plugin } as unknown as CompactorPlugin;
}

/** Adds the kind and infers the options; does nothing else. */
export function defineFacade<S extends Schema>(
  plugin: Omit<FacadePlugin<S>, "kind">,
): FacadePlugin {
  return { kind: "facade", ...plugin } as unknown as FacadePlugin;
}

/** Adds the kind and infers the options; does nothing else. */
export function definePlugin<S extends Schema>(
  plugin: Omit<BundlePlugin<S>, "kind">,
): BundlePlugin {
  return { kind: "plugin", ...plugin } as unknown as BundlePlugin;
}
