import { openaiServer } from "../../model_server.ts";
import { faultSuite } from "../fault_suite.ts";
import { openaiModel } from "../models.ts";

faultSuite({ name: "openai", serve: openaiServer, model: openaiModel });
