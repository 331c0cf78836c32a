import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { defineScript, type Rehearsal, type ScriptInput, startRehearsal } from "@bridle/rehearsal";

/** A project with an event log that several processes use, and the rehearsed model of its runs. */
export interface CrashProject {
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly rehearsal: Rehearsal;
  /** Starts a program from this folder as a separate process in the project. */
  start(program: string, ...parameters: string[]): Program;
  close(): Promise<void>;
}

interface Program {
  readonly child: ChildProcess;
  /** The process's output. */
  readonly output: Promise<string>;
  /** The signal that ended the process. */
  readonly ended: Promise<NodeJS.Signals | null>;
}

/**
 * The model's script: a read-only call, two effects in one response, an effect that needs an approval, and an answer. Further turns follow.
 */
const script = defineScript({
  rehearsal: 1,
  turns: [
    { when: { user: "Go on" }, steps: [{ call: "look", with: { what: "again" } }, { say: "Went on." }] },
    {
      when: { user: "Begin" },
      steps: [
        { say: "I will look first.", call: "look", with: { what: "the order" } },
        {
          calls: [
            { call: "pay", with: { what: "the bill" } },
            { call: "mail", with: { what: "the receipt" } },
          ],
        },
        { say: "One thing is left.", call: "erase", with: { what: "the draft" } },
        { say: "All is done." },
      ],
    },
  ],
});

const hosts = {
  anthropic: (url: string) => `{ backend: anthropic, apiKey: "\${ANTHROPIC_API_KEY}", baseUrl: "${url}" }`,
  "claude-code": (url: string) => `{ auth: api_key, baseUrl: "${url}" }`,
};

/**
 * Creates a project. `eventLog` is the `eventLog` block of `bridle.yaml`. Default: the event log is on disk. `steps` replace the model's
 * script.
 */
export async function openCrashProject(
  host: keyof typeof hosts = "anthropic",
  eventLog?: string,
  steps?: ScriptInput["turns"][number]["steps"],
): Promise<CrashProject> {
  const folder = mkdtempSync(join(tmpdir(), "bridle-crash-"));
  const rehearsal = await startRehearsal({
    script: steps ? defineScript({ rehearsal: 1, turns: [{ steps }] }) : script,
  });
  for (const name of [".bridle", "home"]) mkdirSync(join(folder, name));
  const place = eventLog === undefined ? "" : `eventLog: ${eventLog}\n`;
  writeFileSync(join(folder, "bridle.yaml"), `llm: { provider: ${hosts[host](rehearsal.url)} }\n${place}`);
  const { PATH = "", NODE_COMPILE_CACHE = "" } = process.env;
  const environment = {
    PATH,
    NODE_COMPILE_CACHE, // shared by the tests, because compiling takes half of the process's time
    HOME: join(folder, "home"),
    BRIDLE_TRUST: "all",
    TMPDIR: folder,
    ANTHROPIC_API_KEY: "rehearsal",
  };
  const started = new Set<ChildProcess>();

  return {
    folder,
    environment,
    rehearsal,
    start(program, ...parameters) {
      const path = join(import.meta.dirname, program);
      const child = spawn(
        process.execPath,
        ["--no-warnings", path, folder, ...parameters], // runs on the built packages, which need three quarters of the time to start
        {
          env: environment,
          stdio: ["ignore", "pipe", "inherit"],
        },
      );
      started.add(child);
      return { child, output: text(child.stdout), ended: once(child, "close").then(([, signal]) => signal) };
    },
    async close() {
      for (const child of started) child.kill("SIGKILL");
      await rehearsal.close();
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
