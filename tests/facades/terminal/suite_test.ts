import { facadeSuite } from "../../facade_suite.ts";
import { plainDriver, plainSkips } from "./plain_driver.ts";

facadeSuite("the terminal off a TTY", plainDriver, plainSkips);
