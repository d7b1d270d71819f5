import { Failure } from "../lib/failure.ts";

/** A server of `remote_server.ts`, and what it is told to do. */
export class Subject implements AsyncDisposable {
  readonly #process: Deno.ChildProcess;
  readonly #input: WritableStreamDefaultWriter<Uint8Array>;
  readonly #lines: ReadableStreamDefaultReader<string>;
  #rest = "";
  #sockets: WebSocket[] = [];
  port = 0;
  session = "";

  private constructor(process: Deno.ChildProcess) {
    this.#process = process;
    this.#input = process.stdin.getWriter();
    this.#lines = process.stdout.pipeThrough(new TextDecoderStream())
      .getReader();
  }

  /** Starts `mm serve`, or a bare `ws`. */
  static async start(kind: "mm" | "bare"): Promise<Subject> {
    const script = new URL("remote_server.ts", import.meta.url).href;
    const process = new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "--quiet", "--no-check", script, kind],
      stdin: "piped",
      stdout: "piped",
      stderr: "inherit",
    }).spawn();
    const subject = new Subject(process);
    Object.assign(subject, await subject.#line());
    return subject;
  }

  /** Has it do something; its answer. */
  async order(text: string): Promise<unknown> {
    await this.#input.write(new TextEncoder().encode(`${text}\n`));
    return await this.#line();
  }

  /** Lets clients in, a few at a time; each hears frames by `heard`. */
  async connect(
    count: number,
    heard: (data: string) => void = () => {},
  ): Promise<readonly WebSocket[]> {
    const all: WebSocket[] = [];
    while (all.length < count) {
      const some = Math.min(100, count - all.length);
      all.push(
        ...await Promise.all(
          Array.from({ length: some }, () => this.#open(heard)),
        ),
      );
    }
    this.#sockets.push(...all);
    return all;
  }

  /** Has clients hear what is told from now on. */
  async activate(sockets: readonly WebSocket[]): Promise<void> {
    sockets.forEach((socket, i) => {
      const { session } = this;
      const message = { id: `a-${i}`, type: "attach", session, since: 0 };
      socket.send(JSON.stringify(message));
    });
    await new Promise((resolve) => setTimeout(resolve, 1500));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.close();
    await this.#input.close();
    await this.#lines.cancel();
    this.#process.kill("SIGKILL");
    await this.#process.status;
  }

  async #line(): Promise<Record<string, unknown>> {
    while (!this.#rest.includes("\n")) {
      const { value, done } = await this.#lines.read();
      if (done) throw new Failure("Cannot measure: the server left");
      this.#rest += value;
    }
    const end = this.#rest.indexOf("\n");
    const line = this.#rest.slice(0, end);
    this.#rest = this.#rest.slice(end + 1);
    return JSON.parse(line);
  }

  #open(heard: (data: string) => void): Promise<WebSocket> {
    const socket = new WebSocket(`ws://127.0.0.1:${this.port}/ws`, [
      "mm.v1",
      "bearer.a-token-for-benchmarks",
    ]);
    socket.onmessage = ({ data }) => heard(data);
    return new Promise((resolve, reject) => {
      socket.onopen = () => resolve(socket);
      socket.onerror = () => reject(new Failure("Cannot connect a client"));
    });
  }
}
