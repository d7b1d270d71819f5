import { anthropicServer } from "../../model_server.ts";
import { faultSuite } from "../fault_suite.ts";
import { anthropicModel } from "../models.ts";

faultSuite({
  name: "anthropic",
  serve: anthropicServer,
  model: anthropicModel,
});
