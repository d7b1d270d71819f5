import { useMemo, useState } from "preact/hooks";
import type { FileDiff } from "../../../core/message.ts";
import { type DiffLine, diffLines } from "./diff_text.ts";
import { memo } from "./memo.ts";
import { count, oneLine } from "./text.ts";

/** Lines of a change that are shown at first. */
const MAX_LINES = 40;

/** What a call changes, file by file. */
export const Diffs = memo(
  ({ diffs }: { readonly diffs: readonly FileDiff[] }) => (
    <div class="diffs">
      {diffs.map((diff, i) => <Diff key={i} diff={diff} />)}
    </div>
  ),
);

const Diff = memo(({ diff }: { readonly diff: FileDiff }) => {
  const lines = useMemo(() => diffLines(diff), [diff]);
  const [whole, setWhole] = useState(false);
  const path = oneLine(diff.path);
  const shown = whole ? lines : lines?.slice(0, MAX_LINES);
  const left = (lines?.length ?? 0) - (shown?.length ?? 0);
  return (
    <figure class="diff" aria-label={`Change of ${path}`}>
      <figcaption title={path}>
        <bdi>{path}</bdi>
        {diff.oldText === null && <span class="tag">new</span>}
      </figcaption>
      {shown
        ? (
          <div class="diff-lines" tabIndex={0} role="group" aria-label="Lines">
            <table>
              <tbody>
                {shown.map((line, i) => <Line key={i} line={line} />)}
              </tbody>
            </table>
          </div>
        )
        : <p class="quiet">The change is too large to show</p>}
      {left > 0 && (
        <button
          type="button"
          class="link"
          onClick={() => setWhole(true)}
        >
          Show {count(left, "more line")} of change
        </button>
      )}
    </figure>
  );
});

const MARKS = { same: " ", added: "+", removed: "-", gap: "" };

function Line({ line: { kind, number, text } }: { readonly line: DiffLine }) {
  return (
    <tr class={kind}>
      <td class="number">{kind === "gap" ? "" : number}</td>
      <td class="mark">{MARKS[kind]}</td>
      <td class="text">{text}</td>
    </tr>
  );
}
