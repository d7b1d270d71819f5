import { placeSuite } from "../../store_suite/places.ts";

placeSuite("json");
