import { facadeSuite } from "../../facade_suite.ts";
import { acpDriver } from "./driver.ts";

facadeSuite("an editor", acpDriver);
