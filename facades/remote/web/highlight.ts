import hljs from "highlight.js/lib/core";
import bash from "highlight.js/lib/languages/bash";
import cpp from "highlight.js/lib/languages/cpp";
import css from "highlight.js/lib/languages/css";
import diff from "highlight.js/lib/languages/diff";
import go from "highlight.js/lib/languages/go";
import ini from "highlight.js/lib/languages/ini";
import java from "highlight.js/lib/languages/java";
import javascript from "highlight.js/lib/languages/javascript";
import json from "highlight.js/lib/languages/json";
import markdown from "highlight.js/lib/languages/markdown";
import python from "highlight.js/lib/languages/python";
import rust from "highlight.js/lib/languages/rust";
import sql from "highlight.js/lib/languages/sql";
import typescript from "highlight.js/lib/languages/typescript";
import xml from "highlight.js/lib/languages/xml";
import yaml from "highlight.js/lib/languages/yaml";

/** Longest code that is coloured, in UTF-16 units. */
const MAX_CODE = 30_000;

for (
  const [name, language] of Object.entries({
    bash,
    cpp,
    css,
    diff,
    go,
    ini,
    java,
    javascript,
    json,
    markdown,
    python,
    rust,
    sql,
    typescript,
    xml,
    yaml,
  })
) hljs.registerLanguage(name, language);

hljs.registerAliases(["console", "shell"], { languageName: "bash" });
hljs.registerAliases("c", { languageName: "cpp" });
hljs.registerAliases("jsonc", { languageName: "json" });

/** Code as HTML; undefined when its language is not known, or it is too long. */
export function highlight(code: string, language: string): string | undefined {
  if (code.length > MAX_CODE || !hljs.getLanguage(language)) return undefined;
  return hljs.highlight(code, { language, ignoreIllegals: true }).value;
}
