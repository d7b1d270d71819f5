import { config } from "zod/v4/core";

// Imported first, by commands that somebody waits for. Their schemas are used
// once or twice, and code that is made for a schema pays off only later.
config({ jitless: true });
