import { join } from "node:path";
import { SqliteStore } from "../../../plugins/sqlite/sqlite_store.ts";
import { storeSuite } from "../../store_suite.ts";

storeSuite(
  "sqlite",
  (dir) => new SqliteStore(join(dir, ".mm", "sessions.db")),
  {
    "writes nothing when it reads":
      "SQLite keeps a log beside an open database; see file_test.ts for what stays",
  },
);
