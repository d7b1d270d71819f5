import type { SessionMode, SessionModeState } from "@agentclientprotocol/sdk";
import type { ApprovalMode } from "../../core/approval.ts";

interface Mode extends SessionMode {
  readonly mode: ApprovalMode;
}

const MODES: readonly Mode[] = [
  {
    id: "ask",
    mode: "ask",
    name: "Ask",
    description: "Read freely; ask before changes and commands",
  },
  {
    id: "auto-edit",
    mode: "edit",
    name: "Auto-edit",
    description: "Edit files in the project freely; ask before commands",
  },
  {
    id: "read-only",
    mode: "read",
    name: "Read-only",
    description: "Read files in the project; deny all else",
  },
];

// Offered only where the configuration chose them.
const RARE: readonly Mode[] = [
  {
    id: "all",
    mode: "all",
    name: "Allow all",
    description: "Run everything without asking",
  },
  {
    id: "none",
    mode: "none",
    name: "Deny all",
    description: "Run no tool at all",
  },
];

/** The modes of a session that is in `mode` and was configured to start in `first`. */
export function modeState(
  mode: ApprovalMode,
  first: ApprovalMode,
): SessionModeState {
  const offered = [
    ...MODES,
    ...RARE.filter((m) => m.mode === mode || m.mode === first),
  ];
  return {
    currentModeId: offered.find((m) => m.mode === mode)?.id ?? "ask",
    availableModes: offered.map(({ mode: _, ...shown }) => shown),
  };
}

/** What a mode id stands for in core. */
export function approvalMode(id: string): ApprovalMode | undefined {
  return [...MODES, ...RARE].find((m) => m.id === id)?.mode;
}
