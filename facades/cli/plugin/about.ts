/** What each built-in plugin is for, in a few words. */
export const ABOUT: Readonly<Record<string, string>> = {
  json: "one readable JSON file per conversation",
  jsonl: "one log per conversation, an event a line",
  sqlite: "all conversations in one database, with a full-text index",
  ring: "the newest events, in memory only",
  openai: "any OpenAI-compatible server",
  anthropic: "Anthropic's servers",
  demo: "a model that needs no server, to try mm",
  coding: "tools to read, edit and run",
  mcp: "tools of MCP servers",
};
