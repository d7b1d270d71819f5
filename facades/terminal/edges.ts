/** Where bytes go. */
export interface Sink {
  write(bytes: Uint8Array): Promise<number>;
  readonly isTerminal: boolean;
}

/** Where bytes come from. */
export interface Source {
  /** Opened when it is first read. */
  readonly readable: ReadableStream<Uint8Array>;
  readonly isTerminal: boolean;
}

/** The edges of the process, so that tests can bring their own. */
export interface Edges {
  readonly stdin: Source;
  readonly stdout: Sink;
  readonly stderr: Sink;
  env(name: string): string | undefined;
}

/** The real ones. */
export function processEdges(): Edges {
  return {
    stdin: {
      get readable() {
        return Deno.stdin.readable;
      },
      isTerminal: Deno.stdin.isTerminal(),
    },
    stdout: sink(Deno.stdout),
    stderr: sink(Deno.stderr),
    env: (name) => Deno.env.get(name),
  };
}

function sink(file: typeof Deno.stdout): Sink {
  return {
    write: (bytes) => file.write(bytes),
    isTerminal: file.isTerminal(),
  };
}
