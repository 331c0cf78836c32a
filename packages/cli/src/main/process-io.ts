import type { Readable, Writable } from "node:stream";
import { setImmediate } from "node:timers/promises";
import type { WriteStream } from "node:tty";
import { removeOwnFolders } from "@bridle/app";
import type { Cli, Interrupt, Output } from "../command/cli.ts";
import { exitCodes } from "../command/exit-codes.ts";
import { createLineReader } from "../command/line-reader.ts";
import { ownCommand } from "../command/own-command.ts";
import { createTrust } from "./ask-for-trust.ts";
import { exitProcess, onFault } from "./process-faults.ts";

type FlushableOutput = Output & { flush(): Promise<void> };

/** This process in the form that commands use. */
export interface OwnProcess {
  readonly cli: Cli;
  /** Exits when all output is written. Tools' open connections and timers do not keep the process alive. */
  end(code: number): Promise<never>;
}

/** Reserves standard output for the command: text of tools and libraries goes to standard error from now on. */
export function openOwnProcess({ version, packageRoot }: Pick<Cli, "version" | "packageRoot">): OwnProcess {
  let command: string | undefined; // found once, when the first sentence is printed
  const [, startedAs] = process.argv;
  const nameOwn = () => {
    command ??= ownCommand({ environment: process.env, cwd: workingFolder() ?? packageRoot, packageRoot, startedAs });
    return command;
  };
  const [stdout, stderr] = [createOutput(process.stdout, nameOwn), createOutput(process.stderr, nameOwn)];
  process.stdout.write = process.stderr.write.bind(process.stderr);
  process.on("exit", removeOwnFolders);
  process.stderr.on("error", () => {}); // the command continues if nobody reads its progress
  const outputClosed = watchClosing(process.stdout);
  const { stdin } = process;
  const readLine = stdin.isTTY && process.stderr.isTTY ? createLineReader(stdin) : undefined;
  const trust = createTrust({ environment: process.env, readLine, stderr, onInterrupt });
  const cli: Cli = {
    arguments: process.argv.slice(2),
    startedAs,
    get cwd() {
      return process.cwd();
    },
    environment: process.env,
    version,
    packageRoot,
    stdin: stdin satisfies Readable,
    readLine,
    trust,
    terminal: stdin.isTTY && process.stdout.isTTY ? { input: stdin, output: process.stdout } : undefined,
    setVariables: (variables) => void Object.assign(process.env, variables),
    stdout,
    stderr,
    outputClosed,
    onInterrupt,
    onFault,
    createRuntime: async (options) => (await import("@bridle/app/runtime")).createRuntime(options),
  };
  return { cli, end: (code) => endProcess(code, { stdout, stderr, outputClosed }) };
}

/** Returns the working directory. Undefined if it was deleted, so that the command can still print this error. */
function workingFolder(): string | undefined {
  try {
    return process.cwd();
  } catch {
    return undefined;
  }
}

async function endProcess(
  code: number,
  { stdout, stderr, outputClosed }: { stdout: FlushableOutput; stderr: FlushableOutput; outputClosed: AbortSignal },
): Promise<never> {
  await stdout.flush();
  await setImmediate(); // a stream reports its error in the next turn of the event loop
  const failure = findFailure(outputClosed);
  if (failure) {
    stderr.write(`Standard output cannot be written (${failure}). Free some space, or redirect it to another file.\n`);
  }
  await stderr.flush();
  return exitProcess(failure ? code || exitCodes.otherwise : code);
}

function createOutput(stream: WriteStream, nameOwn: () => string): FlushableOutput {
  const write: (text: string, done?: () => void) => unknown = stream.write.bind(stream);
  return {
    write: (text) => void write(text),
    flush: () => new Promise((resolve) => (stream.writable ? void write("", resolve) : resolve())),
    get isTTY() {
      return stream.isTTY === true;
    },
    get columns() {
      return stream.columns || undefined; // 0 if the terminal does not report its size
    },
    get rows() {
      return stream.rows;
    },
    get command() {
      return nameOwn();
    },
  };
}

/** Returns a signal that is aborted with the stream's error. */
function watchClosing(stream: Writable): AbortSignal {
  const closed = new AbortController();
  stream.on("error", (error) => closed.abort(error));
  return closed.signal;
}

/** Finds why an output failed. A closed pipe (`bridle run … | head -1`) is not a failure: the reader needs no more output. */
function findFailure({ aborted, reason }: AbortSignal): string | undefined {
  const code: unknown = aborted ? reason.code : "EPIPE";
  return code === "EPIPE" ? undefined : String(code);
}

/** Calls the listener at the first interrupt, which requests a clean end. The second one ends the process immediately. */
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
