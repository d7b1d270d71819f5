import { facadeSuite } from "../../../facade_suite.ts";
import { remoteDriver } from "./driver.ts";

facadeSuite("a remote client", remoteDriver);
