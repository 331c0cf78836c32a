import type { Readable, Writable } from "node:stream";
import type { WriteStream } from "node:tty";
import type { Cli, Interrupt, Output } from "./cli.ts";
import { exitCodes } from "./exit-codes.ts";

/** This process as a command sees it. */
export function processCli({ version, packageRoot }: Pick<Cli, "version" | "packageRoot">): Cli {
  return {
    arguments: process.argv.slice(2),
    cwd: process.cwd(),
    environment: process.env,
    version,
    packageRoot,
    stdin: process.stdin satisfies Readable,
    stdout: outputOf(process.stdout),
    stderr: outputOf(process.stderr),
    outputClosed: closingOf(process.stdout),
    onInterrupt,
    createRuntime: async (options) => (await import("@bridle/project")).createRuntime(options),
  };
}

function outputOf(stream: WriteStream): Output {
  return {
    write: (text) => void stream.write(text),
    get isTTY() {
      return stream.isTTY === true;
    },
    get columns() {
      return stream.columns;
    },
  };
}

/** A reader that went away (`bridle run … | head -1`) is no failure to report; it ends what nobody sees. */
function closingOf(stream: Writable): AbortSignal {
  const closed = new AbortController();
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
    closed.abort();
  });
  return closed.signal;
}

/** The first interrupt asks for a clean end; a second one does not wait for it. */
function onInterrupt(listener: (interrupt: Interrupt) => void): () => void {
  let count = 0;
  const listen = (interrupt: Interrupt) => {
    count += 1;
    if (count > 1) process.exit(exitCodes[interrupt]);
    listener(interrupt);
  };
  process.on("SIGINT", listen).on("SIGTERM", listen);
  return () => process.off("SIGINT", listen).off("SIGTERM", listen);
}
