import { contentText } from "../../../core/message.ts";
import type { ReplayItem } from "../../../core/replay.ts";

/** Text that is drawn when a conversation is resumed, in UTF-16 units. */
const MAX_TEXT = 100_000;
/** Entries that are drawn. */
const MAX_ITEMS = 400;

/** The end of a conversation that is worth drawing; what is before it stays in the record. */
export function recent(items: readonly ReplayItem[]): readonly ReplayItem[] {
  let left = MAX_TEXT;
  let from = items.length;
  while (from > 0 && items.length - from < MAX_ITEMS) {
    const item = items[from - 1];
    if (item) left -= size(item);
    if (left < 0 && from < items.length) break;
    from--;
  }
  return items.slice(from).map(shorten);
}

// One answer may be larger than all that is drawn: its end is shown.
function shorten(item: ReplayItem): ReplayItem {
  if (item.type !== "assistant" || item.text.length <= MAX_TEXT) return item;
  const end = item.text.slice(-MAX_TEXT);
  return { ...item, text: `…\n${end.slice(end.indexOf("\n") + 1)}` };
}

// A tool's card is short, whatever it holds.
function size(item: ReplayItem): number {
  switch (item.type) {
    case "user":
      return Math.min(3_000, contentText(item.content).length);
    case "assistant":
    case "summary":
      return item.text.length;
    default:
      return 500;
  }
}
