import { acpx } from "./acpx.ts";
import type { Editor } from "./editor.ts";
import { emacs } from "./emacs.ts";
import { jetbrains } from "./jetbrains.ts";
import { neovim } from "./neovim.ts";
import { zed } from "./zed.ts";

/** The editors there are, by the name they are installed by. */
export const editors: Readonly<Record<string, Editor>> = {
  zed,
  jetbrains,
  neovim,
  emacs,
  acpx,
};
