import type { ReadStream, WriteStream } from "node:tty";
import type { AppContext, ProjectContext } from "@bridle/app";
import type { ReadLine } from "./line-reader.ts";

/** A stream for text: standard output for results, standard error for progress. */
export interface Output {
  write(text: string): void;
  readonly isTTY: boolean;
  /** The width of the terminal; `undefined` without a terminal. */
  readonly columns: number | undefined;
  /** The height of the terminal; `undefined` without a terminal. */
  readonly rows?: number | undefined;
  /** The command that starts this program for the reader, such as `npx bridle`; see `nameCommands`. Default: `bridle`. */
  readonly command?: string | undefined;
}

export type Interrupt = "SIGINT" | "SIGTERM" | "SIGHUP";

/** The environment of a command: that of its use cases, and the streams of the process. */
export interface Cli extends AppContext {
  /** The words after `bridle`. */
  readonly arguments: readonly string[];
  /** The path of the file that Node started, which may be a link to the command. */
  readonly startedAs?: string | undefined;
  readonly stdin: AsyncIterable<Uint8Array | string>;
  /** Reads a line from the user. Missing if standard input or standard error is not a terminal. */
  readonly readLine?: ReadLine | undefined;
  /** The terminal for screens. Missing if standard input or standard output is not a terminal. */
  readonly terminal?: { readonly input: ReadStream; readonly output: WriteStream } | undefined;
  readonly stdout: Output;
  readonly stderr: Output;
  /** Sets variables for this process, in `environment` and for tools. */
  setVariables(variables: Readonly<Record<string, string>>): void;
  /** Aborted when standard output can no longer be written. */
  readonly outputClosed: AbortSignal;
  /** Calls the listener at the first interrupt, until you call the returned function. */
  onInterrupt(listener: (interrupt: Interrupt) => void): () => void;
}

/** The environment of a command that works in a project. */
export type ProjectCli = Cli & ProjectContext;
