import assert from "node:assert/strict";
import { comeBack } from "../../../facades/cli/come_back.ts";

Deno.test("comeBack() names the folder and the configuration again, as a shell reads them", () => {
  assert.equal(comeBack({}), "mm --session");
  assert.equal(comeBack({ cwd: "../app" }), "mm -C ../app --session");
  assert.equal(
    comeBack({ cwd: "it's here", config: "$x.yaml" }, "attach"),
    String.raw`mm -C 'it'\''s here' --config '$x.yaml' attach`,
  );
});
