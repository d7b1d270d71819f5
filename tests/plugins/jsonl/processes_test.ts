import { processSuite } from "../../store_suite/processes.ts";

processSuite("jsonl", { appends: 1000, kills: 30 });
