/** Measures how soon viewers see events, and what stalled viewers cost. */
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { readMessages } from "../../packages/server/tests/support/read-stream.ts";
import { beginSession, writeSession, writeText } from "../../packages/server/tests/support/written-session.ts";
import { runNode } from "../run-process.ts";
import { printTable } from "../table.ts";
import { benchToken, openBenchProject, openStream, printShares, serveBench, servingFolder } from "./stage.ts";

/** Returns the milliseconds from the time of each event of this type until the reader has it. */
async function delaysOf(response: Response, type: string, count: number): Promise<number[]> {
  const delays: number[] = [];
  for await (const { event, data } of readMessages(response)) {
    if (event === type) delays.push(Date.now() - JSON.parse(data).time);
    if (delays.length >= count) break;
  }
  return delays;
}

export async function measureViewers(viewers: number, target: string): Promise<void> {
  const workspace = await openBenchProject(`viewers-${viewers}`);
  const server = await serveBench(workspace);
  const leave = new AbortController();
  const writer = await beginSession(workspace.eventLog, "s");
  await writer.durable();
  const opened = Array.from({ length: viewers }, () =>
    openStream(server.url, "/sessions/s/events?after=1", leave.signal),
  );
  const slow = viewers > 1 ? [connectStalled(server.url, "/sessions/s/events")] : [];
  const reading = (await Promise.all(opened)).map((response) => delaysOf(response, "text.delta", 300));
  for (let index = 0; index < 300; index += 1) {
    writeText(writer, "s", 1);
    await setTimeout(7); // about 150 a second
  }
  const delays = (await Promise.all(reading)).flat();
  printShares(
    `An event of this process, ${viewers === 1 ? "1 viewer" : `${viewers} viewers and 1 that reads nothing`}`,
    target,
    delays,
  );
  leave.abort();
  for (const socket of slow) socket.destroy();
  await writer.close();
  await server.close();
  await workspace.close();
}

export async function measureOtherProcess(): Promise<void> {
  const workspace = await openBenchProject("other");
  const server = await serveBench(workspace);
  const leave = new AbortController();
  await workspace.sessions.create({ id: "followed" });
  const reading = delaysOf(await openStream(server.url, "/sessions/followed/events", leave.signal), "notice", 100);
  const program = join(import.meta.dirname, "../followed-writer.ts");
  await runNode([...process.execArgv, program, "sqlite", join(servingFolder, "other", ".bridle"), "100"]);
  printShares("An event of another process, 1 viewer", "p95 300 ms at most", await reading);
  leave.abort();
  await server.close();
  await workspace.close();
}

export async function measureStalled(): Promise<void> {
  const workspace = await openBenchProject("stalled");
  for (let part = 0; part < 10; part += 1) await writeSession(workspace.eventLog, "s", 5000);
  const server = await serveBench(workspace);
  const path = "/sessions/s/events?after=50000&limit=1";
  const asking = new Asking(server.url);
  const alone = { status: await asking.ask("/status"), page: await asking.ask(path) };
  const before = process.memoryUsage().rss;
  const sockets = Array.from({ length: 50 }, () => connectStalled(server.url, "/sessions/s/events"));
  const beside = { page: await asking.ask(path), status: await asking.ask("/status") };
  printShares("/status alone", "", alone.status);
  printShares("/status beside 50 stalled viewers of 50,000 events", "worst 250 ms at most", beside.status);
  printShares("A page of events alone", "", alone.page);
  printShares("A page of events beside 50 stalled viewers", "worst 250 ms at most", beside.page);
  const grown = (process.memoryUsage().rss - before) / 2 ** 20;
  const options = { unit: "MB", target: "100 MB at most" };
  printTable("Memory that 50 stalled viewers add", [{ name: "resident", values: [grown] }], options);
  for (const socket of sockets) socket.destroy();
  await asking.end();
  await server.close();
  await workspace.close();
}

/** Sends requests from another thread, because a busy server would delay its own clock. */
class Asking {
  readonly #worker: Worker;

  constructor(url: string) {
    const program = `const { parentPort, workerData: { url, token } } = require("node:worker_threads");
      parentPort.on("message", async (path) => { const times = []; const until = Date.now() + 4000;
        while (Date.now() < until) { const start = performance.now();
          await (await fetch(url + "/api/v1" + path, { headers: { authorization: "Bearer " + token } })).text();
          times.push(performance.now() - start); await new Promise((done) => setTimeout(done, 5)); }
        parentPort.postMessage(times); });`;
    this.#worker = new Worker(program, { eval: true, workerData: { url, token: benchToken } });
  }

  /** Sends requests for four seconds. Resolves with the milliseconds of each answer. */
  ask(path: string): Promise<number[]> {
    const answered = new Promise<number[]>((resolve) => this.#worker.once("message", resolve));
    this.#worker.postMessage(path);
    return answered;
  }

  end(): Promise<number> {
    return this.#worker.terminate();
  }
}

/** Connects a viewer that requests a stream and never reads it. */
function connectStalled(url: string, path: string): Socket {
  const { hostname, port } = new URL(url);
  const head = [`GET /api/v1${path} HTTP/1.1`, `host: ${hostname}:${port}`, `authorization: Bearer ${benchToken}`];
  const socket = connect(Number(port), hostname).pause();
  socket.on("error", () => {}).write(`${[...head, "accept: text/event-stream"].join("\r\n")}\r\n\r\n`);
  return socket;
}
