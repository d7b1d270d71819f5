/** What is long, or what a lost model writes, is drawn in a time that grows with it, not much faster. */
import { markdownBlocks } from "../../facades/remote/web/markdown.ts";
import { markdownLines } from "../../facades/terminal/tui/markdown.ts";
import { makeTheme } from "../../facades/terminal/tui/theme.ts";
import { Transcript } from "../../facades/terminal/tui/transcript.ts";
import { TranscriptView } from "../../facades/terminal/tui/transcript_view.ts";
import { interleaved, type Row } from "./measure.ts";

/** All that is measured of screens. */
export async function drawing(): Promise<readonly Row[]> {
  return [
    await grows("terminal: an answer", 9_000, answered),
    await grows("terminal: a lost model", 4_000, (n) => {
      for (const unit of LOST) markdownLines(repeated(unit, n), 80, theme);
    }),
    await grows("page: a lost model", 20_000, (n) => {
      for (const unit of LOST) markdownBlocks(repeated(unit, n));
    }),
  ];
}

/** `work` at four times the size, against four times `work`: × 4 where it grows with the square. */
async function grows(
  name: string,
  size: number,
  work: (size: number) => void,
): Promise<Row> {
  const [value, baseline] = await interleaved(
    5,
    () => work(4 * size),
    () => {
      for (let n = 0; n < 4; n++) work(size);
    },
  );
  return { name: `${name}, four times as long`, value, baseline, target: 3 };
}

function answered(lines: number): void {
  const transcript = new Transcript();
  const text = "Some words of a long answer.\n".repeat(lines);
  transcript.update({ type: "text", messageId: "m", text });
  transcript.update({ type: "running", running: false });
  new TranscriptView([...transcript.blocks], theme, () => lines).render(80);
}

function repeated(unit: string, length: number): string {
  return `${unit.repeat(length / unit.length)}x`;
}

const theme = makeTheme(false);

const LOST = ["> ", "- > ", "[a](", "*a **b ", "_a ", "[", "`a ", "1. ", "|"];
