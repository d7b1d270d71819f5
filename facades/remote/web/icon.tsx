/** Drawings of 24 × 24, strokes alone: they take the colour of the text. */
const PATHS = {
  read: "M4 5a2 2 0 0 1 2-2h8l6 6v10a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2zM14 3v6h6",
  edit: "M4 20l1-5L16 4l4 4L9 19zM13 7l4 4",
  delete: "M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13M10 11v6M14 11v6",
  move: "M4 12h15M13 6l6 6-6 6",
  search: "M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM16 16l5 5",
  execute: "M4 5h16v14H4zM8 10l3 2.5L8 15M13 15h4",
  think:
    "M9 18h6M10 21h4M12 3a6 6 0 0 0-4 10.5c.7.7 1 1.5 1 2.5h6c0-1 .3-1.8 1-2.5A6 6 0 0 0 12 3z",
  fetch:
    "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM3 12h18M12 3c3 3 3 15 0 18M12 3c-3 3-3 15 0 18",
  other:
    "M14 6a4 4 0 0 1 5-2l-3 3 1 1 3-3a4 4 0 0 1-5 6l-7 7-2-2 7-7a4 4 0 0 1 1-3z",
  menu: "M4 7h16M4 12h16M4 17h16",
  close: "M6 6l12 12M18 6L6 18",
  plus: "M12 5v14M5 12h14",
  send: "M12 19V6M6 12l6-6 6 6",
  stop: "M7 7h10v10H7z",
  down: "M12 5v14M6 13l6 6 6-6",
  people:
    "M9 5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7zM3 20c0-4 3-6 6-6s6 2 6 6M16 6a3 3 0 0 1 0 6M18 14c2 .6 3 2.500 3 6",
  theme: "M12 4a8 8 0 1 0 0 16zM12 4v16a8 8 0 0 0 0-16z",
  chevron: "M9 6l6 6-6 6",
  shield: "M12 3l7 3v5c0 5-3 8-7 10-4-2-7-5-7-10V6z",
} as const;

/** A drawing's name. */
export type IconName = keyof typeof PATHS;

/** A drawing; what it stands for is said beside it. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  );
}
