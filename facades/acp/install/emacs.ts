import type { Editor } from "./editor.ts";

/** Emacs, by agent-shell. */
export const emacs: Editor = {
  type: "text",
  title: "Emacs (agent-shell)",
  where: "your init.el",
  text: ({ command, args }) =>
    `(with-eval-after-load 'agent-shell
  (add-to-list
   'agent-shell-agent-configs
   (agent-shell-make-agent-config
    :identifier 'mm
    :mode-line-name "mm"
    :buffer-name "mm"
    :shell-prompt "mm> "
    :shell-prompt-regexp "mm> "
    :client-maker
    (lambda (buffer)
      (agent-shell--make-acp-client
       :command ${JSON.stringify(command)}
       :command-params '(${args.map((a) => JSON.stringify(a)).join(" ")})
       :context-buffer buffer)))))
`,
};
