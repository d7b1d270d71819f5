/** The documents a conversation can be written as. */
export const EXPORT_FORMATS = ["md", "html", "json"] as const;

/** One of them. */
export type ExportFormat = typeof EXPORT_FORMATS[number];
