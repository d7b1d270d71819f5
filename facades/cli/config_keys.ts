/** What each key of agent.yaml is for: `mm schema` and docs/configuration.md say it in these words. */
export const CONFIG_KEYS: Readonly<Record<string, string>> = {
  "model":
    "What answers: the name of a model plugin, or `use` and its options. Without it mm looks for a model server on this machine and else uses the demo model",
  "prompt":
    "Replaces mm's own system prompt. AGENTS.md, the working folder and the date are still added",
  "sessions": "How conversations are kept",
  "sessions.enabled": "false keeps conversations in memory only",
  "sessions.store": "The store plugin they are kept by",
  "compaction": "What happens when a conversation no longer fits the model",
  "compaction.use":
    "How old turns are shortened: `summary` has the model summarise them",
  "compaction.at":
    "The part of the context window that may fill up before that, 0.1 to 1",
  "compaction.keepTurns": "Latest turns that stay as they are",
  "titles":
    "What names a conversation: `question`, its first question; `model`, a short title by the model after the first turn",
  "approvals": "Which tool calls run without being asked",
  "approvals.mode":
    "`ask`: reading inside the project runs, the rest is asked; `edit`: edits inside it run too; `all`: everything runs; `read`: only reading runs, the rest is denied; `none`: the model has no tools",
  "approvals.commands":
    "Shell commands that run without asking, each as its first words: `git status`",
  "tools": "Bounds of the tools",
  "tools.maxRounds": "Model calls one turn may take",
  "tools.off": "Names of tools the model is not offered",
  "mcp":
    "Servers of tools for the model, by name, and how long they may take to start",
  "serve": "How `mm serve` serves; its flags go before",
  "serve.host": "The address it listens on; the default is this machine alone",
  "serve.port": "The port; 0 takes any that is free",
  "serve.names":
    "Further names by which clients may call it, as behind a proxy or in a private network",
  "serve.replay":
    "How much of each conversation's record is kept in memory for clients that come back; the oldest part goes first",
  "serve.replay.events": "Events at most",
  "serve.replay.bytes": "Bytes at most",
  "serve.idleRelease":
    "Seconds until a conversation that nobody looks at and that does nothing leaves memory; it stays on disk",
  "plugins": "Further plugins: a name each, or `use` and its options",
};
