import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import type { BenchEngine } from "./engines.ts";
import { cpuSeconds, memoryBytes } from "./processes.ts";
import { type ScanFigures, scanFigures } from "./scan-figures.ts";

const program = fileURLToPath(new URL("scan-process.ts", import.meta.url));
const everyMs = 200;

export interface MeasuredScan extends ScanFigures {
  /** The CPU seconds of the server, or of the processes that read a file for the scan. */
  readonly serverSeconds: number;
  /** The peak memory of these processes together. Shared pages are counted for each process. */
  readonly serverBytes: number;
}

/** Runs one scan in a separate process, and observes it from outside. */
export async function runScan(engine: BenchEngine, factsFile: string, profiles: string): Promise<MeasuredScan> {
  const { server } = engine;
  const before = server === undefined ? 0 : totalSeconds(server);
  const words = [
    ...(profiles === "" ? [] : ["--cpu-prof", `--cpu-prof-dir=${profiles}`]),
    "--conditions=@bridle/source",
  ];
  const child = spawn(process.execPath, [...words, program, JSON.stringify(engine.config), factsFile], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const watch = new ProcessWatch(child.pid ?? 0, server);
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, "exit")]);
  watch.stop();
  if (code !== 0) throw new Error(`The scan ended with ${code}.`);
  const figures = scanFigures.parse(JSON.parse(output));
  const serverSeconds = server === undefined ? watch.childSeconds : totalSeconds(server) - before;
  return { ...figures, serverSeconds, serverBytes: watch.maxBytes };
}

/** Measures a process and its children, or a server, from time to time. */
class ProcessWatch {
  maxBytes = 0;
  childSeconds = 0;
  readonly #pid: number;
  readonly #server: number | undefined;
  readonly #timer: NodeJS.Timeout;

  constructor(pid: number, server: number | undefined) {
    this.#pid = pid;
    this.#server = server;
    this.#timer = setInterval(() => this.#look(), everyMs);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #look(): void {
    const root = this.#server ?? this.#pid;
    const { own, children } = memoryBytes(root);
    this.maxBytes = Math.max(this.maxBytes, this.#server === undefined ? children : own + children);
    if (this.#server === undefined) this.childSeconds = Math.max(this.childSeconds, cpuSeconds(root).children);
  }
}

function totalSeconds(pid: number): number {
  const { own, children } = cpuSeconds(pid);
  return own + children;
}
