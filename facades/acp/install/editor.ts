/** How mm is started, by an absolute path: editors have another PATH than shells. */
export interface Launch {
  readonly command: string;
  readonly args: readonly string[];
}

/** Where a user's settings are. */
export interface Home {
  readonly folder: string;
  readonly os: "windows" | "darwin" | "linux";
  env(name: string): string | undefined;
}

/** An editor whose settings are JSON: mm goes to `path` in `file`. */
export interface JsonEditor {
  readonly type: "json";
  readonly title: string;
  file(home: Home): string;
  readonly path: readonly string[];
  entry(launch: Launch): unknown;
}

/** An editor whose settings are a program: what to put there is shown. */
export interface TextEditor {
  readonly type: "text";
  readonly title: string;
  readonly where: string;
  text(launch: Launch): string;
}

/** An editor that can be told of mm. */
export type Editor = JsonEditor | TextEditor;
