import { type ChildProcess, spawn } from "node:child_process";
import type { SpawnedProcess, SpawnOptions } from "@anthropic-ai/claude-agent-sdk";
import { createWatchdog, type Watchdog } from "@bridle/core";

export type SpawnHost = (options: SpawnOptions) => SpawnedProcess;

/** One host process, and what is left of it to look at when it has gone. */
export interface HostProcess {
  readonly spawn: SpawnHost;
  /** The newest lines that the host wrote to its standard error; never shown, quoted in crash errors only. */
  readonly stderr: string;
  readonly pid: number | undefined;
  /** From now on neither the process nor its pipes keep ours alive; `wake` undoes it. */
  rest(): void;
  wake(): void;
  /** Ends the process: its input is closed, then it is asked, then it is killed. Resolves when it is gone. */
  end(graceMs: number): Promise<void>;
}

const stderrKept = 4000;
const killAfterMs = 500;

/** What a process wrote last is read after its exit; something that it left behind may hold the pipe open for ever. */
const lastWordsMs = 50;
const isWindows = process.platform === "win32";

let sharedWatchdog: Watchdog | undefined;

/** One for the whole process. */
function watchdogOfThisProcess(): Watchdog {
  sharedWatchdog ??= createWatchdog();
  return sharedWatchdog;
}

/** A host process of its own group, so that a Ctrl-C in the terminal reaches its owner alone, which then ends it. */
export function createHostProcess(watchdog = watchdogOfThisProcess()): HostProcess {
  let child: ChildProcess | undefined;
  let exited: Promise<void> = Promise.resolve();
  let stderr = "";

  function start({ command, args, cwd, env }: SpawnOptions): SpawnedProcess {
    const started = spawn(command, args, {
      cwd,
      env,
      stdio: ["pipe", "pipe", "pipe"],
      detached: !isWindows,
      windowsHide: true,
    });
    child = started;
    const { pid } = started;
    if (pid !== undefined && !isWindows) watchdog.watch(pid);
    exited = whenGone(started);
    if (pid !== undefined) void exited.then(() => watchdog.release(pid));
    started.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderr = (stderr + text).slice(-stderrKept);
    });
    started.stdin.on("error", () => {});
    return started;
  }

  /** The whole group: what the host itself started goes with it. */
  function signal(name: NodeJS.Signals): void {
    if (child?.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    try {
      if (isWindows) child.kill(name);
      else process.kill(-child.pid, name);
    } catch {
      // It has just gone.
    }
  }

  /** What of the process this one's event loop counts. */
  function handles(): unknown[] {
    return child ? [child, ...child.stdio] : [];
  }

  return {
    spawn: start,
    get stderr() {
      return stderr;
    },
    get pid() {
      return child?.pid;
    },
    rest() {
      for (const handle of handles()) callIfThere(handle, "unref");
    },
    wake() {
      for (const handle of handles()) callIfThere(handle, "ref");
    },
    async end(graceMs) {
      child?.stdin?.end();
      if (await within(exited, graceMs)) return;
      signal("SIGTERM");
      if (await within(exited, killAfterMs)) return;
      signal("SIGKILL");
      await exited;
    },
  };
}

function whenGone(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.once("close", () => resolve());
    child.once("exit", () => setTimeout(resolve, lastWordsMs));
    child.once("error", () => resolve());
  });
}

/** Pipes can be let go of, which the typings of streams do not say. */
function callIfThere(handle: unknown, method: "ref" | "unref"): void {
  const found: unknown = typeof handle === "object" && handle !== null ? Reflect.get(handle, method) : undefined;
  if (typeof found === "function") found.call(handle);
}

async function within(promise: Promise<void>, ms: number): Promise<boolean> {
  const timer = Promise.withResolvers<boolean>();
  const handle = setTimeout(() => timer.resolve(false), ms);
  const done = await Promise.race([promise.then(() => true), timer.promise]);
  clearTimeout(handle);
  return done;
}
