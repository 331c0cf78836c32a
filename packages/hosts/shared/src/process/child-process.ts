import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { createWatchdog, ProcessFamily, spawnPiped, type Watchdog } from "@bridle/core";

/** A program with its arguments and its whole environment. */
export interface HostCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd?: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The number of characters of standard error to keep. */
const keptStderr = 4000;
const killAfterMs = 500;

/** How long the last output is read after the exit, in milliseconds. A process that the host left behind may keep the pipe open forever. */
const outputAfterExitMs = 50;
const isWindows = process.platform === "win32";

let sharedWatchdog: Watchdog | undefined;

/** Returns the watchdog, which serves all host processes of this program. */
export function watchdogOfThisProcess(): Watchdog {
  sharedWatchdog ??= createWatchdog();
  return sharedWatchdog;
}

/**
 * The operating system's side of one host process. The process is in a separate process group: a Ctrl-C in the terminal
 * reaches only this program, which then ends the host.
 */
export class HostChildProcess {
  readonly #watchdog: Watchdog;
  #child: ChildProcessWithoutNullStreams | undefined;
  #exited: Promise<void> = Promise.resolve();
  #stderr = "";

  constructor(watchdog = watchdogOfThisProcess()) {
    this.#watchdog = watchdog;
  }

  /** Starts the process. Call this function once. It needs no `this`, so it can be passed to a library. */
  readonly spawn = ({ command, args, cwd, env }: HostCommand): ChildProcessWithoutNullStreams => {
    const family = new ProcessFamily();
    const child = spawnPiped("host", [command, args], { cwd, env: { ...env, ...family.variables } });
    this.#child = child;
    const { pid } = child;
    if (pid !== undefined && !isWindows) this.#watchdog.watch(pid, family);
    child.once("exit", () => family.kill()); // ends commands that left the group
    this.#exited = untilExit(child);
    if (pid !== undefined) void this.#exited.then(() => this.#watchdog.release(pid));
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      this.#stderr = (this.#stderr + text).slice(-keptStderr);
    });
    child.stdin.on("error", () => {});
    return child;
  };

  /** The newest part of standard error. It appears only in the messages of crash errors. */
  get stderr(): string {
    return this.#stderr;
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** Lets this program exit although the process and its pipes are open. `ref` reverts this. */
  unref(): void {
    setReferenced(this.#handles(), false);
  }

  ref(): void {
    setReferenced(this.#handles(), true);
  }

  /** Ends the process: closes its input, then sends SIGTERM, then SIGKILL. Resolves when it is gone. */
  async end(graceMs: number): Promise<void> {
    this.#child?.stdin.end();
    if (await settlesWithin(this.#exited, graceMs)) return;
    this.#signal("SIGTERM");
    if (await settlesWithin(this.#exited, killAfterMs)) return;
    this.#signal("SIGKILL");
    await this.#exited;
  }

  /** Signals the whole group, so that processes that the host started end too. */
  #signal(name: NodeJS.Signals): void {
    const child = this.#child;
    if (child?.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    try {
      if (isWindows) child.kill(name);
      else process.kill(-child.pid, name);
    } catch {
      // the process has just exited
    }
  }

  /** Returns the handles that keep this program's event loop alive. */
  #handles(): unknown[] {
    return this.#child ? [this.#child, ...this.#child.stdio] : [];
  }
}

function untilExit(child: ChildProcessWithoutNullStreams): Promise<void> {
  return new Promise((resolve) => {
    child.once("close", () => resolve());
    child.once("exit", () => setTimeout(resolve, outputAfterExitMs));
    child.once("error", () => resolve());
  });
}

/** Sets whether handles keep this program alive. Pipes have `ref` and `unref`, although the types of streams do not declare them. */
export function setReferenced(handles: readonly unknown[], isReferenced: boolean): void {
  for (const handle of handles) {
    if (typeof handle !== "object" || handle === null) continue;
    const method: unknown = Reflect.get(handle, isReferenced ? "ref" : "unref");
    if (typeof method === "function") method.call(handle);
  }
}

async function settlesWithin(promise: Promise<void>, ms: number): Promise<boolean> {
  const timer = Promise.withResolvers<boolean>();
  const handle = setTimeout(() => timer.resolve(false), ms);
  const isSettled = await Promise.race([promise.then(() => true), timer.promise]);
  clearTimeout(handle);
  return isSettled;
}
