import type { Editor, Launch } from "./editor.ts";

/** Neovim, by one of its plugins. */
export const neovim: Editor = {
  type: "text",
  title: "Neovim",
  where: "the Lua that sets the plugin up (init.lua)",
  text: (launch) =>
    `-- avante.nvim
require("avante").setup({
  provider = "mm",
  acp_providers = { mm = { command = ${lua(launch.command)}, args = ${
      list(launch.args)
    } } },
})

-- or CodeCompanion.nvim
require("codecompanion").setup({
  adapters = {
    acp = {
      mm = function()
        return require("codecompanion.adapters").extend("opencode", {
          name = "mm",
          formatted_name = "mm",
          commands = { default = ${all(launch)} },
        })
      end,
    },
  },
  interactions = { chat = { adapter = "mm" } },
})
`,
};

function all({ command, args }: Launch): string {
  return list([command, ...args]);
}

function list(values: readonly string[]): string {
  return `{ ${values.map(lua).join(", ")} }`;
}

// JSON's escapes that matter in a path are Lua's, too.
function lua(text: string): string {
  return JSON.stringify(text);
}
