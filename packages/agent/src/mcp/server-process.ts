import { type ChildProcess, spawn } from "node:child_process";
import { createWatchdog, type Watchdog } from "@bridle/core";
import type { Environment } from "@bridle/project";

export interface ServerCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Environment;
}

/** A server that runs, in a process group of its own: Ctrl-C in the terminal reaches its owner alone, which then ends it. */
export interface ServerProcess {
  readonly pid: number | undefined;
  readonly stdin: NodeJS.WritableStream;
  readonly stdout: NodeJS.ReadableStream;
  readonly stderr: NodeJS.ReadableStream;
  /** Resolves with how it ended, in words such as `exit code 1`. */
  readonly ended: Promise<string>;
  /** Ends it with all that it started: its input is closed, then it is asked, then it is killed. Resolves when it is gone. */
  end(graceMs: number): Promise<void>;
}

const isWindows = process.platform === "win32";

/** A server that goes on after it was asked to end is killed after this time. */
const killAfterMs = 1000;

/** What a process wrote last is read after its exit; something that it left behind may hold the pipe open for ever. */
const lastWordsMs = 50;

let sharedWatchdog: Watchdog | undefined;

/** Starts a server. Rejects with the system's error where there is no such program. */
export async function startServer({ command, args, cwd, env }: ServerCommand): Promise<ServerProcess> {
  const child = spawn(command, args, {
    cwd,
    env: { ...env },
    stdio: ["pipe", "pipe", "pipe"],
    detached: !isWindows,
    windowsHide: true,
  });
  const { pid } = child;
  if (pid !== undefined) watch(pid, child);
  const ended = howItEnds(child);
  child.stdin.on("error", () => {}); // it has gone, which `ended` tells
  await new Promise((resolve, reject) => child.once("spawn", resolve).once("error", reject));
  return {
    pid,
    ...{ stdin: child.stdin, stdout: child.stdout, stderr: child.stderr },
    ended,
    async end(graceMs) {
      child.stdin.end();
      if (!(await within(ended, graceMs))) signal(child, "SIGTERM");
      if (!(await within(ended, killAfterMs))) signal(child, "SIGKILL");
      await ended;
    },
  };
}

/** However this process dies, the server goes with it. */
function watch(pid: number, child: ChildProcess): void {
  if (isWindows) return;
  sharedWatchdog ??= createWatchdog();
  const watchdog = sharedWatchdog;
  watchdog.watch(pid);
  child.once("exit", () => watchdog.release(pid));
}

function howItEnds(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once("error", (error) => resolve(error.message));
    child.once("exit", (code, name) => {
      const how = name === null ? `exit code ${code}` : `signal ${name}`;
      signal(child, "SIGKILL"); // what it left behind in its group; at once, while nobody else can have its number
      child.once("close", () => resolve(how));
      setTimeout(resolve, lastWordsMs, how);
    });
  });
}

/** To the whole group, so that what the server started goes too. */
function signal(child: ChildProcess, name: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    if (isWindows) child.kill(name);
    else process.kill(-child.pid, name);
  } catch {
    // nobody is left
  }
}

async function within(promise: Promise<unknown>, ms: number): Promise<boolean> {
  const late = Promise.withResolvers<boolean>();
  const timer = setTimeout(late.resolve, ms, false);
  const done = await Promise.race([promise.then(() => true), late.promise]);
  clearTimeout(timer);
  return done;
}
