import type { ChildProcess } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { createWatchdog, ProcessFamily, spawnPiped, type Watchdog } from "@bridle/core";
import type { Environment } from "@bridle/project";
import type { TrustedFolder } from "@bridle/protocol";

export interface ServerCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Environment;
}

/** A running server in its own process group. Ctrl-C in the terminal thus only reaches this process, which then ends the server. */
export interface ServerProcess {
  readonly pid: number | undefined;
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** Resolves when the server has ended, with the reason, such as `exit code 1`. */
  readonly ended: Promise<string>;
  /** Ends the server and its child processes: closes its input, then sends SIGTERM, then SIGKILL. Resolves when the server has ended. */
  end(graceMs: number): Promise<void>;
}

const isWindows = process.platform === "win32";

/** The time between SIGTERM and SIGKILL. */
const killAfterMs = 1000;

/** How long a server's last output is read after its exit. A child process may keep the pipe open forever. */
const lastWordsMs = 50;

let sharedWatchdog: Watchdog | undefined;

/**
 * Starts a server. Rejects with the system's error if the program does not exist, and with a ConfigError if its code changed since it was
 * trusted.
 */
export async function startServer(
  trusted: TrustedFolder,
  { command, args, cwd, env }: ServerCommand,
): Promise<ServerProcess> {
  await trusted.confirm();
  const family = new ProcessFamily();
  const child = spawnPiped(trusted, [command, args], { cwd, env: { ...env, ...family.variables } });
  const { pid } = child;
  if (pid !== undefined) watch(pid, child, family);
  const ended = waitForEnd(child, family);
  child.stdin.on("error", () => {}); // if the server has ended, `ended` reports it
  await new Promise((resolve, reject) => child.once("spawn", resolve).once("error", reject));
  return {
    pid,
    stdin: child.stdin,
    stdout: child.stdout,
    stderr: child.stderr,
    ended,
    async end(graceMs) {
      child.stdin.end();
      if (!(await within(ended, graceMs))) signal(child, "SIGTERM");
      if (!(await within(ended, killAfterMs))) signal(child, "SIGKILL");
      await ended;
    },
  };
}

/** Starts the watchdog, which ends the server even if this process is killed. */
function watch(pid: number, child: ChildProcess, family: ProcessFamily): void {
  if (isWindows) return;
  sharedWatchdog ??= createWatchdog();
  const watchdog = sharedWatchdog;
  watchdog.watch(pid, family);
  child.once("exit", () => watchdog.release(pid));
}

function waitForEnd(child: ChildProcess, family: ProcessFamily): Promise<string> {
  return new Promise((resolve) => {
    child.once("error", (error) => resolve(error.message));
    child.once("exit", (code, name) => {
      const how = name === null ? `exit code ${code}` : `signal ${name}`;
      signal(child, "SIGKILL"); // ends its child processes immediately, before the process id can be reused
      family.kill(); // ends the child processes that have left its group
      child.once("close", () => resolve(how));
      setTimeout(resolve, lastWordsMs, how);
    });
  });
}

/** Sends a signal to the whole process group, which includes the server's child processes. */
function signal(child: ChildProcess, name: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    if (isWindows) child.kill(name);
    else process.kill(-child.pid, name);
  } catch {
    // the group has ended
  }
}

async function within(promise: Promise<unknown>, ms: number): Promise<boolean> {
  const late = Promise.withResolvers<boolean>();
  const timer = setTimeout(late.resolve, ms, false);
  const done = await Promise.race([promise.then(() => true), late.promise]);
  clearTimeout(timer);
  return done;
}
