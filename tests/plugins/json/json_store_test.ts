import { join } from "node:path";
import { JsonStore } from "../../../plugins/json/json_store.ts";
import { storeSuite } from "../../store_suite.ts";

storeSuite("json", (dir) => new JsonStore(join(dir, ".mm", "sessions")));
