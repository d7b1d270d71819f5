/** What `mm serve` adds to a bare WebSocket broadcast, and what a client that reads nothing costs. */
import { median, type Row } from "./measure.ts";
import { mirror } from "./remote_client.ts";
import { Subject } from "./remote_crowd.ts";

/** All that is measured of the server for other screens. */
export async function remote(): Promise<readonly Row[]> {
  return [await delivery(), await replay(), mirror(), ...await stuck()];
}

/** How late the slowest of a hundred deliveries is: 200 clients that listen, 1,000 that do not. */
async function delivery(): Promise<Row> {
  const [mm, bare] = await Promise.all([crowd("mm"), crowd("bare")]);
  await using _mm = mm.subject;
  await using _bare = bare.subject;
  for (let round = 0; round < 6; round++) {
    for (const { subject, delays } of [bare, mm]) {
      if (round === 1) delays.length = 0; // the first round warms up
      await subject.order("tell 60 25");
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }
  return {
    name: "remote p99, 200 of 1,200 clients",
    value: percentile(mm.delays, 0.99),
    baseline: percentile(bare.delays, 0.99),
    target: 5,
  };
}

async function crowd(kind: "mm" | "bare") {
  const subject = await Subject.start(kind);
  const delays: number[] = [];
  await subject.connect(1000);
  const active = await subject.connect(200, (data) => {
    const [, at] = /"text":"([\d.]+) /.exec(data) ?? [];
    if (at === undefined || data.includes("structured_replay")) return;
    delays.push(performance.timeOrigin + performance.now() - Number(at));
  });
  await subject.activate(active);
  return { subject, delays };
}

/** A replay of a full record, against the same bytes sent as fast as they go. */
async function replay(): Promise<Row> {
  await using mm = await Subject.start("mm");
  await using bare = await Subject.start("bare");
  const value: number[] = [];
  const baseline: number[] = [];
  const runs = [[bare, baseline], [mm, value]] as const;
  for (const [subject] of runs) await subject.order("fill");
  for (let n = 0; n < 12; n++) {
    for (const [subject, times] of runs) {
      const ms = await timeReplay(subject);
      if (n > 1) times.push(ms);
    }
  }
  return {
    name: "remote replay of 8 MiB",
    value: median(value),
    baseline: median(baseline),
    target: 2,
  };
}

async function timeReplay(subject: Subject): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const [socket] = await subject.connect(1, (data) => {
    if (data.slice(0, 200).includes('"last":true')) resolve();
  });
  const { session } = subject;
  const start = performance.now();
  socket?.send(JSON.stringify({ id: "a", type: "attach", session }));
  await promise;
  const ms = performance.now() - start;
  socket?.close();
  return ms;
}

/** A client that stops reading: how far it gets, and what is left of it. */
async function stuck(): Promise<readonly Row[]> {
  await using mm = await Subject.start("mm");
  await mm.connect(20);
  const before = Number(await mm.order("memory"));
  using _client = await reading(mm);
  await new Promise((resolve) => setTimeout(resolve, 300));
  const told = Number(await mm.order("flood"));
  await mm.order("tell 1 50");
  const after = Number(await mm.order("memory"));
  return [
    {
      name: "remote slow client: told when dropped",
      value: told / 16,
      baseline: 8,
      target: 4, // the system's own buffers come on top
      unit: "MiB",
    },
    {
      name: "remote slow client: memory after",
      value: after,
      baseline: before,
      target: 1.5,
      unit: "MB",
    },
  ];
}

/** A client that attaches and reads no more. */
async function reading({ port, session }: Subject): Promise<Disposable> {
  const connection = await Deno.connect({ hostname: "127.0.0.1", port });
  const head = [
    "GET /ws HTTP/1.1",
    "Host: localhost",
    "Connection: Upgrade",
    "Upgrade: websocket",
    "Sec-WebSocket-Version: 13",
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
    "Sec-WebSocket-Protocol: mm.v1, bearer.a-token-for-benchmarks",
  ];
  const encoder = new TextEncoder();
  await connection.write(encoder.encode(`${head.join("\r\n")}\r\n\r\n`));
  await connection.read(new Uint8Array(1000));
  const text = JSON.stringify({ id: "a", type: "attach", session });
  const bytes = encoder.encode(text);
  const frame = [0x81, 0x80 | bytes.length, 0, 0, 0, 0, ...bytes];
  await connection.write(new Uint8Array(frame));
  return { [Symbol.dispose]: () => connection.close() };
}

function percentile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length * part)] ?? NaN;
}
