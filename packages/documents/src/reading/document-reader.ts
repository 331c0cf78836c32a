import type { ChildProcess } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { forkProgram } from "@bridle/core";
import { DocumentError } from "../parse/document-error.ts";
import { askProcess, hasEnded, type Outcome } from "./ask-process.ts";
import type { DocumentRequest, PreparedDocument } from "./prepare-document.ts";
import { type ReaderLimits, readerLimitsFor } from "./reader-limits.ts";
import { readerReply } from "./reader-messages.ts";

export interface DocumentReaderOptions {
  /** The maximum size of a file, in bytes. */
  readonly maxFileBytes: number;
  /** The limits for one file. Default: based on the size of each file. */
  readonly limits?: Partial<ReaderLimits> | undefined;
}

/** The maximum memory of a process after a file. A process with more is replaced before the next file. */
const maxIdleBytes = 400_000_000;

/**
 * Reads documents in another process, one at a time, with limited time and memory. A file that exceeds the limits causes a DocumentError,
 * as does any other file that cannot be read. The process is started for the first file, without environment variables that may contain a
 * secret.
 */
export class DocumentReader {
  readonly #options: DocumentReaderOptions;
  #child: ChildProcess | undefined;
  #previous: Promise<unknown> = Promise.resolve();

  constructor(options: DocumentReaderOptions) {
    this.#options = options;
  }

  /** Reads a document. Rejects with a DocumentError, or with the signal's reason. */
  read(request: DocumentRequest, signal?: AbortSignal): Promise<PreparedDocument> {
    const result = this.#previous.then(() => this.#readNow(request, signal));
    this.#previous = result.catch(() => {}); // the caller gets the error
    return result;
  }

  /** Ends the process. */
  async close(): Promise<void> {
    await this.#previous;
    await this.#stop();
  }

  async #readNow(request: DocumentRequest, signal: AbortSignal | undefined): Promise<PreparedDocument> {
    signal?.throwIfAborted();
    const { name, bytes } = request.file;
    const { seconds, memoryBytes } = { ...readerLimitsFor(bytes.length), ...this.#options.limits };
    const ask = () => askProcess(this.#process(), { ...request, memoryBytes }, { seconds, signal });
    const isUsed = this.#child !== undefined;
    let outcome = await ask();
    if (isUsed && outcome.end === "exit") {
      await this.#stop(); // memory that an earlier file left behind may have ended the process
      signal?.throwIfAborted();
      outcome = await ask();
    }
    if (outcome.end !== "reply") {
      await this.#stop();
      signal?.throwIfAborted();
      throw new DocumentError(name, explainEnd(outcome, { seconds, memoryBytes }));
    }
    const reply = readerReply.parse(outcome.reply);
    if (reply.residentBytes > maxIdleBytes) await this.#stop();
    if ("prepared" in reply) return reply.prepared;
    throw new DocumentError(name, reply.problem);
  }

  #process(): ChildProcess {
    this.#child ??= startReader({ ...readerLimitsFor(this.#options.maxFileBytes), ...this.#options.limits });
    return this.#child;
  }

  async #stop(): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (child === undefined || hasEnded(child)) return;
    const { promise, resolve } = Promise.withResolvers();
    child.once("exit", resolve);
    child.ref();
    child.kill("SIGKILL");
    await promise;
  }
}

function startReader({ memoryBytes }: ReaderLimits): ChildProcess {
  const { file, conditions } = locateProgram();
  const child = forkProgram("reader", [file, []], {
    execArgv: [...conditions, `--max-old-space-size=${Math.ceil(memoryBytes / 1_000_000)}`],
    env: neededVariables(process.env),
    stdio: ["ignore", "ignore", "ignore", "ipc"],
    serialization: "advanced",
  });
  child.on("error", () => {}); // the exit event reports the same failure
  child.unref();
  child.channel?.unref?.(); // Bun's channel does not have `unref`
  return child;
}

/** Returns the path of the program next to this file: TypeScript in the sources, JavaScript in a built package. */
function locateProgram(): { readonly file: string; readonly conditions: readonly string[] } {
  const isSource = import.meta.url.endsWith(".ts");
  const file = fileURLToPath(new URL(`./reader-process.${isSource ? "ts" : "js"}`, import.meta.url));
  if (existsSync(file)) return { file, conditions: isSource ? ["--conditions=@bridle/source"] : [] };
  throw new Error(
    `The program that reads documents is missing: ${file}. If a bundler packs your application, leave @bridle/documents out of the bundle.`,
  );
}

/** Returns the variables that Node.js and package managers need to find modules, and to load them quickly. */
function neededVariables(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const names = ["NODE_COMPILE_CACHE", "NODE_OPTIONS", "NODE_PATH", "PATH", "SystemRoot", "TMPDIR", "TEMP"];
  return Object.fromEntries(names.flatMap((name) => (environment[name] ? [[name, environment[name]]] : [])));
}

function explainEnd(outcome: Exclude<Outcome, { end: "reply" }>, { seconds, memoryBytes }: ReaderLimits): string {
  if (outcome.end !== "exit")
    return `takes more than ${seconds} seconds to read. Split it, or leave it out of the source.`;
  const isTooLarge = outcome.signal === "SIGKILL" || outcome.signal === "SIGABRT" || outcome.code === 134;
  if (isTooLarge)
    return `needs more than ${Math.round(memoryBytes / 1_000_000)} MB of memory to be read. Split it, or leave it out of the source.`;
  const end = outcome.signal ?? `exit code ${outcome.code}`;
  return `ended the process that reads documents (${end}). Leave it out of the source, and report it as a fault of Bridle.`;
}
