import { join } from "node:path";
import { JsonlStore } from "../../../plugins/jsonl/jsonl_store.ts";
import { storeSuite } from "../../store_suite.ts";

storeSuite("jsonl", (dir) => new JsonlStore(join(dir, ".mm", "sessions")));
