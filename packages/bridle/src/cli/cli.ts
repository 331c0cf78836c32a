import type { ReadStream, WriteStream } from "node:tty";
import type { CreateRuntimeOptions, Environment } from "@bridle/project";
import type { AgentRuntime } from "@bridle/protocol";
import type { ReadLine } from "./line-reader.ts";

/** Where text goes: results to standard output, progress to standard error. */
export interface Output {
  write(text: string): void;
  readonly isTTY: boolean;
  /** Width of the terminal, where there is one. */
  readonly columns: number | undefined;
  /** Height of the terminal, where there is one. */
  readonly rows?: number | undefined;
}

export type Interrupt = "SIGINT" | "SIGTERM" | "SIGHUP";

/** Everything that a command has of the world outside. */
export interface Cli {
  /** What stands after `bridle`. */
  readonly arguments: readonly string[];
  readonly cwd: string;
  readonly environment: Environment;
  readonly version: string;
  /** The folder of this package, which holds its demo. */
  readonly packageRoot: string;
  readonly stdin: AsyncIterable<Uint8Array | string>;
  /** What somebody types at the terminal that standard error goes to; missing where nobody sits there. */
  readonly readLine?: ReadLine;
  /** The terminal that both standard input and standard output are, for what draws on it. */
  readonly terminal?: { readonly input: ReadStream; readonly output: WriteStream };
  readonly stdout: Output;
  readonly stderr: Output;
  /** Aborted when standard output can no longer be written. */
  readonly outputClosed: AbortSignal;
  /** Calls the listener at the first interrupt, until the returned function is called. */
  onInterrupt(listener: (interrupt: Interrupt) => void): () => void;
  /** Calls the listener with each error of a tool that reaches no call, until the returned function is called. */
  onFault(listener: (error: unknown) => void): () => void;
  createRuntime(options: CreateRuntimeOptions): Promise<AgentRuntime>;
}
