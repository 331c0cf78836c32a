import type { Readable, Writable } from "node:stream";
import { setImmediate } from "node:timers/promises";
import type { WriteStream } from "node:tty";
import { type Cli, type Interrupt, type Output } from "./cli.ts";
import { exitCodes } from "./exit-codes.ts";
import { createLineReader } from "./line-reader.ts";
import { exitProcess, onFault } from "./process-faults.ts";
import { removeOwnFolders } from "@bridle/app";

/** This process as a command sees it, and the way out of it. */
export interface OwnProcess {
  readonly cli: Cli;
  /** Exits when everything is written. Tools may leave connections and timers open; they do not keep it alive. */
  end(code: number): Promise<never>;
}

/** From now on standard output is the command's alone: what a tool or a library writes there goes to standard error. */
export function ownProcess({ version, packageRoot }: Pick<Cli, "version" | "packageRoot">): OwnProcess {
  const [stdout, stderr] = [outputOf(process.stdout), outputOf(process.stderr)];
  process.stdout.write = process.stderr.write.bind(process.stderr);
  process.on("exit", removeOwnFolders);
  process.stderr.on("error", () => {}); // progress that nobody reads is no reason to end
  const outputClosed = closingOf(process.stdout);
  const cli: Cli = {
    arguments: process.argv.slice(2),
    get cwd() {
      return process.cwd();
    },
    environment: process.env,
    version,
    packageRoot,
    stdin: process.stdin satisfies Readable,
    ...(process.stdin.isTTY && process.stderr.isTTY && { readLine: createLineReader(process.stdin) }),
    ...(process.stdin.isTTY && process.stdout.isTTY && { terminal: { input: process.stdin, output: process.stdout } }),
    stdout,
    stderr,
    outputClosed,
    onInterrupt,
    onFault,
    createRuntime: async (options) => (await import("@bridle/project")).createRuntime(options),
  };
  async function end(code: number): Promise<never> {
    await stdout.flush();
    await setImmediate(); // a stream tells its error a turn later
    const failure = failureOf(outputClosed);
    if (failure) stderr.write(`Standard output cannot be written (${failure}). Free space, or send it elsewhere.\n`);
    await stderr.flush();
    return exitProcess(failure ? code || exitCodes.otherwise : code);
  }
  return { cli, end };
}

function outputOf(stream: WriteStream): Output & { flush(): Promise<void> } {
  const write: (text: string, done?: () => void) => unknown = stream.write.bind(stream);
  return {
    write: (text) => void write(text),
    flush: () => new Promise((resolve) => (stream.writable ? void write("", resolve) : resolve())),
    get isTTY() {
      return stream.isTTY === true;
    },
    get columns() {
      return stream.columns;
    },
    get rows() {
      return stream.rows;
    },
  };
}

/** Aborted with the stream's error. */
function closingOf(stream: Writable): AbortSignal {
  const closed = new AbortController();
  stream.on("error", (error) => closed.abort(error));
  return closed.signal;
}

/** A reader that went away (`bridle run … | head -1`) is no failure to report; it ends what nobody sees. */
function failureOf({ aborted, reason }: AbortSignal): string | undefined {
  const code: unknown = aborted ? reason.code : "EPIPE";
  return code === "EPIPE" ? undefined : String(code);
}

/** The first interrupt asks for a clean end; a second one does not wait for it. */
function onInterrupt(listener: (interrupt: Interrupt) => void): () => void {
  let count = 0;
  const listen = (interrupt: Interrupt) => {
    count += 1;
    if (count > 1) exitProcess(exitCodes[interrupt]);
    listener(interrupt);
  };
  const names = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  for (const name of names) process.on(name, listen);
  return () => {
    for (const name of names) process.off(name, listen);
  };
}
