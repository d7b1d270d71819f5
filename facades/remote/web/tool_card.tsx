import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type {
  FileDiff,
  ToolCall,
  ToolKind,
  ToolLocation,
} from "../../../core/message.ts";
import { Diffs } from "./diffs.tsx";
import { Icon } from "./icon.tsx";
import { memo } from "./memo.ts";
import { clean, count, oneLine, reveal, tail } from "./text.ts";

/** What is shown of the output of a call, in UTF-16 units. */
const MAX_OUTPUT = 20_000;

/** A call, running or ended. */
export interface ToolCardProps {
  readonly call: ToolCall;
  readonly title: string;
  readonly kind: ToolKind;
  readonly status:
    | "waiting"
    | "running"
    | "completed"
    | "failed"
    | "cancelled";
  /** Who let it run, once that is known. */
  readonly approval: "allowed" | "denied" | "auto" | undefined;
  readonly output: string;
  readonly diffs: readonly FileDiff[];
  readonly locations: readonly ToolLocation[];
}

/** A tool call: what it is and how it stands; the rest opens on demand. */
export const ToolCard = memo((props: ToolCardProps) => {
  const { call, title, kind, diffs } = props;
  // Until somebody opens or closes it, it is open when that helps.
  const [chosen, choose] = useState<boolean>();
  const open = chosen ?? isTelling(props);
  const words = statusWords(props);
  return (
    <section class={`card tool ${tone(props)}`} aria-label={`Tool: ${title}`}>
      <button
        type="button"
        class="card-head"
        aria-expanded={open}
        onClick={() =>
          choose(!open)}
      >
        <Icon name={kind} />
        <bdi class="card-title">{oneLine(title) || call.name}</bdi>
        <span class="card-status">{words}</span>
        <Icon name="chevron" />
      </button>
      {open && (
        <div class="card-body">
          {diffs.length > 0 && !isOff(props)
            ? <Diffs diffs={diffs} />
            : <Input call={call} title={title} />}
          <Output {...props} />
        </div>
      )}
    </section>
  );
});

/** What a call was given, as far as its title does not say it. */
export function Input(
  { call, title }: { readonly call: ToolCall; readonly title: string },
) {
  const text = callText(call);
  if (!text || title.includes(text)) return null;
  const shape = text.startsWith("{") ? "json" : "command";
  return (
    <pre
      class={`input ${shape}`}
      tabIndex={0}
      aria-label="Input"
    >{reveal(text)}</pre>
  );
}

function Output({ output, status, kind, diffs, approval }: ToolCardProps) {
  const text = clean(output).replace(/\n+$/, "");
  const place = useRef<HTMLPreElement>(null);
  useLayoutEffect(() => {
    const box = place.current;
    if (box && status === "running") box.scrollTop = box.scrollHeight;
  }, [text, status]);
  if (!text) return status === "completed" ? <Nothing /> : null;
  // The change says it already.
  if (diffs.length > 0 && status === "completed") return null;
  const shown = tail(text, MAX_OUTPUT);
  const label = approval === "denied" ? "Why" : "Output";
  return (
    <>
      {shown.cut > 0 && (
        <p class="quiet">
          {count(text.slice(0, shown.cut).split("\n").length - 1, "line")} above
        </p>
      )}
      <pre
        class={`output ${kind}`}
        tabIndex={0}
        aria-label={label}
        ref={place}
      >{shown.text}</pre>
    </>
  );
}

function Nothing() {
  return <p class="quiet">It printed nothing</p>;
}

// What was read or found is for the model; what changed or went wrong is for people.
function isTelling({ status, kind, diffs, approval }: ToolCardProps): boolean {
  if (approval === "denied" || status === "waiting") return false;
  if (status === "running" || status === "failed") return true;
  return diffs.length > 0 && status === "completed" && kind !== "read";
}

function isOff({ status }: ToolCardProps): boolean {
  return status === "failed" || status === "cancelled";
}

function tone({ status, approval }: ToolCardProps): string {
  if (approval === "denied" && status !== "cancelled") return "denied";
  return status;
}

// A question that was cancelled is no refusal.
function statusWords({ status, approval }: ToolCardProps): string {
  if (status === "cancelled") return "cancelled";
  if (approval === "denied") return "denied";
  switch (status) {
    case "waiting":
      return "waiting";
    case "running":
      return "running";
    case "failed":
      return "failed";
    case "completed":
      return approval === "allowed" ? "allowed" : "done";
  }
}

function callText({ arguments: input }: ToolCall): string {
  if (typeof input === "string") return input;
  const { command } = (input ?? {}) as { command?: unknown };
  if (typeof command === "string") return command;
  const text = JSON.stringify(input, null, 2) ?? "";
  return text === "{}" ? "" : text;
}
