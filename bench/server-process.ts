/**
 * Measures `bridle serve` as a process: how soon its clients see another process's chat, how soon answers arrive, and how long its shutdown
 * takes. Part of the benchmark `server`.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { deskFiles } from "../packages/app/tests/support/desk-files.ts";
import { readMessages, readUntil, type SentMessage } from "../packages/server/tests/support/read-stream.ts";
import { printTable } from "./table.ts";

const command = fileURLToPath(new URL("../packages/bridle/bin/bridle.js", import.meta.url));
const project = mkdtempSync(join(tmpdir(), "bridle-bench-serve-"));
const env = { PATH: process.env.PATH ?? "", HOME: project, BRIDLE_TRUST: "all", TERM: "xterm" };
const words = ["--conditions=@bridle/source", "--no-warnings", command];
const viewers = 10;
const rounds = 5;
const graceMs = 2000;

const infoSchema = z.object({ url: z.string(), token: z.string() });
const runsSchema = z.object({ runs: z.array(z.object({ runId: z.string(), startedAt: z.string() })) });
const openSchema = z.object({ approvals: z.array(z.object({ id: z.string(), inputHash: z.string() })) });

class Server {
  readonly #child: ChildProcess;
  readonly #url: string;
  readonly #headers: Readonly<Record<string, string>>;

  private constructor(child: ChildProcess, { url, token }: z.infer<typeof infoSchema>) {
    this.#child = child;
    this.#url = `${url}/api/v1`;
    this.#headers = { authorization: `Bearer ${token}`, accept: "text/event-stream" };
  }

  static async start(): Promise<Server> {
    const options = ["--port", "0", "--json", "--rehearse", "script.yaml", "--grace", String(graceMs / 1000)];
    const child = spawn(process.execPath, [...words, "serve", ...options], { cwd: project, env, stdio: "pipe" });
    let text = "";
    for await (const part of child.stdout.setEncoding("utf8")) {
      text += String(part);
      if (text.includes("\n}")) break;
    }
    return new Server(child, infoSchema.parse(JSON.parse(text)));
  }

  watch(path: string): Promise<Response> {
    return fetch(this.#url + path, { headers: this.#headers });
  }

  async post(path: string, json: unknown): Promise<void> {
    const headers = { ...this.#headers, "content-type": "application/json" };
    const response = await fetch(this.#url + path, { method: "POST", headers, body: JSON.stringify(json) });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  }

  /** Resolves with the milliseconds until the process has ended. */
  async end(): Promise<number> {
    const before = performance.now();
    const ended = once(this.#child, "close");
    this.#child.kill("SIGTERM");
    await ended;
    return performance.now() - before;
  }

  kill(): void {
    this.#child.kill("SIGKILL");
  }
}

/** The util-linux program that provides a terminal. */
const terminal = "script";

/** Starts a chat in a terminal. */
class Chat {
  readonly #child: ChildProcess;
  #shown = "";

  constructor() {
    const line = ["exec", process.execPath, ...words, "chat", "agent.yaml", "--rehearse", "script.yaml"].join(" ");
    this.#child = spawn(terminal, ["-qfec", line, "/dev/null"], {
      cwd: project,
      env,
      stdio: ["pipe", "pipe", "inherit"],
    });
    this.#child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      this.#shown += text;
    });
  }

  async shows(text: string): Promise<void> {
    while (!this.#shown.includes(text)) {
      if (this.#child.exitCode !== null) throw new Error(`The chat has ended:\n${this.#shown}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    this.#shown = "";
  }

  type(text: string): void {
    this.#child.stdin?.write(`${text}\r`);
  }

  kill(): void {
    this.#child.kill("SIGTERM");
  }
}

/** Reads until a wanted message arrives, and resolves with it. */
async function next(client: AsyncGenerator<SentMessage>, isWanted: (message: SentMessage) => boolean): Promise<string> {
  for (;;) {
    const { value, done } = await client.next();
    if (done) throw new Error("A stream has ended.");
    if (isWanted(value)) return value.data;
  }
}

const isQuestion = ({ event, data }: SentMessage) => event === "approvals" && data.includes('"lookup"');
const isNone = ({ event, data }: SentMessage) => event === "approvals" && data.includes('"approvals":[]');

/** Reads until a client has a new run and its question, in either order. */
async function watchRound(
  client: AsyncGenerator<SentMessage>,
  known: ReadonlySet<string>,
  onRun: (delay: number) => void,
): Promise<{ readonly asked: string; readonly runId: string }> {
  let [asked, runId] = ["", ""];
  while (asked === "" || runId === "") {
    const { value, done } = await client.next();
    if (done) throw new Error("A stream has ended.");
    if (isQuestion(value)) asked = value.data;
    if (value.event !== "runs" || runId !== "") continue;
    const started = runsSchema.parse(JSON.parse(value.data)).runs.find((run) => !known.has(run.runId));
    if (started === undefined) continue;
    runId = started.runId;
    onRun(Date.now() - Date.parse(started.startedAt));
  }
  return { asked, runId };
}

async function measureChat(server: Server): Promise<void> {
  const clients = await Promise.all(
    Array.from({ length: viewers }, async () => readMessages(await server.watch("/stream?topics=approvals,runs"))),
  );
  const chat = new Chat();
  const appeared: number[] = [];
  const closed: number[] = [];
  const known = new Set<string>();
  try {
    await chat.shows("tokens");
    for (let round = 0; round < rounds; round += 1) {
      const seen = clients.map((client) => watchRound(client, known, (delay) => appeared.push(delay)));
      chat.type("Where is my order?");
      const [{ asked, runId } = { asked: "", runId: "" }] = await Promise.all(seen);
      known.add(runId);
      const [question] = openSchema.parse(JSON.parse(asked)).approvals;
      const answeredAt = performance.now();
      const closing = clients.map(async (client) => {
        await next(client, isNone);
        closed.push(performance.now() - answeredAt);
      });
      const { id = "", inputHash } = question ?? {};
      await server.post(`/approvals/${id}/answer`, { inputHash, decision: "allow" });
      await Promise.all(closing);
      await chat.shows("on its way.");
    }
  } finally {
    chat.kill();
  }
  printTable(
    `A run of bridle chat in ${viewers} clients of bridle serve, and an answer to it of one client`,
    [
      { name: "on record → in a client", values: appeared },
      { name: "answer sent → closed in a client", values: closed },
    ],
    { target: "≤ 300 ms" },
  );
  for (const client of clients) void client.return(undefined);
}

/** Measures the time from SIGTERM to the end of the process, with twenty streams and an unanswered question. */
async function measureEnd(server: Server): Promise<void> {
  await server.post("/sessions/last/runs", { prompt: "Where is my order?" });
  const asked = await server.watch("/sessions/last/events");
  await readUntil(asked, ({ event }) => event === "approval.requested");
  const opened = await Promise.all(Array.from({ length: 20 }, () => server.watch("/sessions/last/events")));
  const leaving = opened.map((stream) => readUntil(stream, ({ event }) => event === "bye"));
  const values = [await server.end()];
  await Promise.all(leaving);
  const target = `≤ ${graceMs + 1000} ms`;
  printTable(`SIGTERM with 20 streams and an open question, --grace ${graceMs / 1000}`, [{ name: "ended", values }], {
    target,
  });
}

mkdirSync(project, { recursive: true });
for (const [name, text] of Object.entries(deskFiles)) writeFileSync(join(project, name), text);
const server = await Server.start();
try {
  await measureChat(server);
  await measureEnd(server);
} finally {
  server.kill();
  rmSync(project, { recursive: true, force: true, maxRetries: 5 });
}
