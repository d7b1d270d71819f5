import { continues } from "../../../../core/continues.ts";
import type { Continues } from "../../../../core/copy_session.ts";
import type { SessionState } from "../../../../core/fold.ts";
import { newId } from "../../../../core/id.ts";
import { sha256 } from "../../plugin/sha256.ts";
import { isClaude, readClaude } from "./claude.ts";
import { isExported, readExported } from "./exported.ts";
import { isGemini, joinGemini, readGemini } from "./gemini.ts";
import { continuesTranscript } from "./continues_transcript.ts";
import { isPi, readPi } from "./pi.ts";
import type { Transcript } from "./transcript.ts";
import type { Fields, JsonFile } from "./values.ts";

/** A conversation out of a file, under the id it gets each time. */
export interface Conversation {
  readonly tool: string;
  readonly id: string;
  readonly state: SessionState;
  /** How an earlier state of it is told from another conversation. */
  readonly continues: Continues;
  readonly unknown: number;
  readonly leftOut: number;
  readonly untimed: number;
}

/** The conversation in a file, or why there is none. */
export function readConversation(
  { document, lines }: JsonFile,
  cwd: string,
): Conversation | string {
  if (document && isExported(document)) return exported(document);
  const read = document && isGemini(document)
    ? named("gemini-cli", readGemini(joinGemini([document]), cwd))
    : isClaude(lines)
    ? named("Claude Code", readClaude(lines, cwd))
    : isPi(lines)
    ? named("pi", readPi(lines, cwd))
    : isGemini(lines[0])
    ? named("gemini-cli", readGemini(joinGemini(lines), cwd))
    : UNKNOWN;
  return typeof read === "string" ? read : identified(read);
}

const UNKNOWN =
  "it is no transcript of Claude Code, pi or gemini-cli, no database, and no mm export";

const EMPTY = "it holds no conversation";

function named(
  tool: string,
  read: Omit<Transcript, "tool"> | undefined,
): Transcript | string {
  return read ? { tool, ...read } : EMPTY;
}

// Out of the other tool's name for it: a file that grew is the same conversation.
function identified({ tool, origin, ids, ...rest }: Transcript): Conversation {
  const { createdAt, title } = rest.state;
  const name = `${tool}\n${origin || `${createdAt}\n${title}`}`;
  const hash = sha256(new TextEncoder().encode(name));
  return {
    tool,
    id: newId(new Date(createdAt), (digits) => hash.slice(0, digits)),
    continues: continuesTranscript(ids),
    ...rest,
  };
}

function exported(document: Fields): Conversation | string {
  const state = readExported(document);
  if (typeof state === "string") return `it is a damaged export: ${state}`;
  const id = String(document.id);
  const counts = { unknown: 0, leftOut: 0, untimed: 0 };
  return { tool: "mm", id, state, continues, ...counts };
}
