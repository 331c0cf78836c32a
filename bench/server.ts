/** Measures the streams of the server, and prints each figure beside its goal. `npm run bench -- server` */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { withProject } from "@bridle/app/project";
import { createRuntime } from "@bridle/app/runtime";
import { type OpenWorkspace, openWorkspace } from "@bridle/app/serving";
import { listSessions } from "@bridle/app/sessions";
import { silentLogger } from "@bridle/protocol";
import { HttpServer } from "../packages/server/src/http/http-server.ts";
import { defaultHttpLimits } from "../packages/server/src/http/limits.ts";
import { noPage } from "../packages/server/src/http/page.ts";
import { OpenStreams } from "../packages/server/src/http/reply/open-streams.ts";
import { hashToken } from "../packages/server/src/http/tokens/access-token.ts";
import { streamRoutes } from "../packages/server/src/streams/stream-routes.ts";
import { readMessages } from "../packages/server/tests/support/read-stream.ts";
import { beginSession, writeSession, writeText } from "../packages/server/tests/support/written-session.ts";
import { runNode } from "./run-process.ts";
import { printTable } from "./table.ts";

const token = "a-token-of-the-benchmark";
const folder = mkdtempSync(join(tmpdir(), "bridle-bench-server-"));

async function openProject(name: string): Promise<OpenWorkspace> {
  const cwd = join(folder, name);
  mkdirSync(cwd, { recursive: true });
  writeFileSync(join(cwd, "bridle.yaml"), "");
  const outside = { cwd, environment: { HOME: cwd }, version: "0.0.0", packageRoot: cwd, createRuntime };
  const trust = { check: async () => [], require: async () => {} };
  return openWorkspace(await withProject({}, { ...outside, trust, onFault: () => () => {} }));
}

function serve(workspace: OpenWorkspace): Promise<HttpServer> {
  return HttpServer.listen({
    ...{ host: "127.0.0.1", port: 0, allowedHosts: [], allowedOrigins: [], isBehindProxy: false, page: noPage },
    ...{ basePath: "", isReadOnly: false, logger: silentLogger, now: Date.now, limits: defaultHttpLimits },
    tokens: [{ name: "bench", role: "operator", namespace: undefined, hash: hashToken(token) }],
    workspaceOf: async () => workspace,
    streams: new OpenStreams(defaultHttpLimits.streams),
    apis: [{ id: "native", base: "/api/v1", routes: streamRoutes }],
  });
}

function open(url: string, path: string, signal: AbortSignal): Promise<Response> {
  const headers = { authorization: `Bearer ${token}`, accept: "text/event-stream" };
  return fetch(`${url}/api/v1${path}`, { headers, signal });
}

/** Milliseconds from the time of each event of this type until the reader has it. */
async function delaysOf(response: Response, type: string, count: number): Promise<number[]> {
  const delays: number[] = [];
  for await (const { event, data } of readMessages(response)) {
    if (event === type) delays.push(Date.now() - JSON.parse(data).time);
    if (delays.length >= count) break;
  }
  return delays;
}

function share(values: readonly number[], part: number): number {
  return values.toSorted((a, b) => a - b)[Math.ceil(values.length * part) - 1] ?? Number.NaN;
}

function print(title: string, target: string, values: readonly number[]): void {
  const parts = [0.5, 0.95, 0.99].map((part) => ({ name: `p${part * 100}`, values: [share(values, part)] }));
  printTable(`${title}, ${values.length} values`, [...parts, { name: "worst", values: [Math.max(...values)] }], {
    target,
  });
}

async function measureViewers(viewers: number, target: string): Promise<void> {
  const workspace = await openProject(`viewers-${viewers}`);
  const server = await serve(workspace);
  const leave = new AbortController();
  const writer = await beginSession(workspace.eventLog, "s");
  await writer.durable();
  const opened = Array.from({ length: viewers }, () => open(server.url, "/sessions/s/events?after=1", leave.signal));
  const reading = (await Promise.all(opened)).map((response) => delaysOf(response, "text.delta", 300));
  for (let index = 0; index < 300; index += 1) {
    writeText(writer, "s", 1);
    await setTimeout(7); // about 150 a second
  }
  const delays = (await Promise.all(reading)).flat();
  print(`An event of this process, ${viewers} ${viewers === 1 ? "viewer" : "viewers"}`, target, delays);
  leave.abort();
  await writer.close();
  await server.close();
  await workspace.close();
}

async function measureOtherProcess(): Promise<void> {
  const workspace = await openProject("other");
  const server = await serve(workspace);
  const leave = new AbortController();
  await workspace.sessions.create({ id: "followed" });
  const reading = delaysOf(await open(server.url, "/sessions/followed/events", leave.signal), "notice", 100);
  const program = join(import.meta.dirname, "followed-writer.ts");
  await runNode([...process.execArgv, program, "sqlite", join(folder, "other", ".bridle"), "100"]);
  print("An event of another process, 1 viewer", "p95 300 ms at most", await reading);
  leave.abort();
  await server.close();
  await workspace.close();
}

/** Measures from another thread, because a busy server would delay its own clock. */
async function measureStalled(): Promise<void> {
  const workspace = await openProject("stalled");
  for (let part = 0; part < 10; part += 1) await writeSession(workspace.eventLog, "s", 5000);
  const server = await serve(workspace);
  const before = process.memoryUsage().rss;
  const asking = new Worker(
    `const { parentPort, workerData: { url, token } } = require("node:worker_threads");
     (async () => { const times = []; const until = Date.now() + 6000;
       while (Date.now() < until) { const start = performance.now();
         await (await fetch(url, { headers: { authorization: "Bearer " + token } })).text(); times.push(performance.now() - start);
         await new Promise((done) => setTimeout(done, 5)); }
       parentPort.postMessage(times); })();`,
    { eval: true, workerData: { url: `${server.url}/api/v1/sessions/s/events?after=50000&limit=1`, token } },
  );
  const answered = new Promise<number[]>((resolve) => asking.once("message", resolve));
  await setTimeout(500);
  const { hostname, port } = new URL(server.url);
  const head = `GET /api/v1/sessions/s/events HTTP/1.1\r\nhost: ${hostname}:${port}\r\nauthorization: Bearer ${token}\r\naccept: text/event-stream\r\n\r\n`;
  const sockets = Array.from({ length: 50 }, () => connect(Number(port), hostname).pause());
  for (const socket of sockets) socket.on("error", () => {}).write(head);
  print("Another request beside 50 stalled viewers of 50,000 events", "worst 250 ms at most", await answered);
  const grown = (process.memoryUsage().rss - before) / 2 ** 20;
  const options = { unit: "MB", target: "100 MB at most" };
  printTable("Memory that 50 stalled viewers add", [{ name: "resident", values: [grown] }], options);
  for (const socket of sockets) socket.destroy();
  await server.close();
  await workspace.close();
}

async function measureSessions(): Promise<void> {
  const workspace = await openProject("sessions");
  const batch = 500;
  for (let first = 0; first < 100_000; first += batch) {
    const names = Array.from({ length: batch }, (_, index) => `s${first + index}`);
    const writers = await Promise.all(names.map((name) => beginSession(workspace.eventLog, name)));
    await Promise.all(writers.map((writer) => writer.close()));
  }
  const times: number[] = [];
  for (let round = 0; round < 20; round += 1) {
    const start = performance.now();
    await listSessions(workspace.eventLog, { last: 50 });
    times.push(performance.now() - start);
  }
  print("A list of 50 of 100,000 sessions", "100 ms at most", times);
  await workspace.close();
}

try {
  await measureViewers(1, "p95 150 ms at most");
  await measureViewers(100, "p99 250 ms at most");
  await measureOtherProcess();
  await measureStalled();
  if (process.argv.includes("--sessions")) await measureSessions();
} finally {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
