/// <reference lib="dom" />
import DOMPurify from "dompurify";

const purify = DOMPurify(globalThis as unknown as Window & typeof globalThis);

/** All that an answer may consist of. Nothing here loads, runs or asks anything. */
const ALLOWED_TAGS = [
  ..."p br strong em del code pre blockquote ul ol li hr a span div".split(" "),
  ..."h2 h3 h4 h5 h6 table thead tbody tr th td".split(" "),
];

/** No `style`, no `src`, no `id` or `name` that a script could take for its own. */
const ALLOWED_ATTR = ["href", "title", "class", "start", "align", "data-lang"];

purify.addHook("afterSanitizeAttributes", (node) => {
  if (!(node instanceof HTMLAnchorElement)) return;
  if (!node.hasAttribute("href")) return;
  node.target = "_blank";
  node.rel = "noopener noreferrer";
});

/** HTML as nodes of this page, without anything that could run or load. */
export function safeNodes(html: string): DocumentFragment {
  return purify.sanitize(html, {
    ALLOWED_TAGS,
    ALLOWED_ATTR,
    // Other attributes are taken for addresses.
    ADD_URI_SAFE_ATTR: ["start", "align", "data-lang"],
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
    ALLOWED_URI_REGEXP: /^(?:https?|mailto):/i,
    RETURN_DOM_FRAGMENT: true,
  });
}
