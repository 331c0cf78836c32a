/** Runs functions of a Python file in a separate process. */
import { resolve, sep } from "node:path";
import { createInterface } from "node:readline";
import type { Environment } from "@bridle/project";
import { ConfigError, isBridleError, StoppedError, systemErrorCode, type TrustedFolder } from "@bridle/protocol";
import { z } from "zod";
import { type ServerProcess, startServer } from "../processes/child-server.ts";
import { inheritedVariables } from "../processes/inherited-variables.ts";
import { pythonCache } from "../processes/python-cache.ts";
import { workerSource } from "./worker-source.ts";

export interface PythonFile {
  /** The path as the user wrote it. */
  readonly file: string;
  /** The folder that relative paths are resolved against. Modules in it can be imported. */
  readonly baseDir: string;
  /** The Python interpreter. Default: python3. */
  readonly python?: string | undefined;
  /** Variables for the process, in addition to those that every process needs. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly environment: Environment;
  /** The proof that the file may run. */
  readonly trusted: TrustedFolder;
}

interface PythonRequest {
  readonly do: "describe" | "call" | "grade";
  readonly function: string;
  readonly input?: unknown;
}

/** An error that the Python file raised. */
export class PythonError extends Error {
  override readonly name = "PythonError";
}

const answerSchema = z.union([
  z.strictObject({ value: z.unknown() }),
  z.strictObject({ error: z.string(), type: z.string(), line: z.int().nullable() }),
]);

/** How long the process may take to end after its input was closed. */
const graceMs = 500;
const stderrKept = 500;

interface Running {
  readonly process: ServerProcess;
  readonly answers: AsyncIterator<string>;
  stderr: string;
}

/**
 * Runs a Python file. Its process starts with the first request, and answers one request after the other. Aborting a request ends the
 * process and everything that it has started; the next request starts a new process.
 */
export class PythonWorker {
  readonly #file: PythonFile;
  #running: Promise<Running> | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(file: PythonFile) {
    this.#file = file;
  }

  /**
   * Returns the value that the function returned. Rejects with a PythonError, with a ConfigError if Python is not installed, or with the
   * reason of the abort.
   */
  request(request: PythonRequest, signal?: AbortSignal): Promise<unknown> {
    const answer = this.#last.then(() => this.#ask(request, signal));
    this.#last = answer.catch(() => undefined);
    return answer;
  }

  async close(): Promise<void> {
    const running = await this.#running?.catch(() => undefined);
    this.#running = undefined;
    await running?.process.end(graceMs);
  }

  async #ask(request: PythonRequest, signal: AbortSignal | undefined): Promise<unknown> {
    if (signal?.aborted) throw new StoppedError("The call was stopped.");
    this.#running ??= this.#start();
    const running = await this.#running.catch((error: unknown) => {
      this.#running = undefined;
      throw error;
    });
    const stopped = Promise.withResolvers<never>();
    const stop = () => {
      void this.#end(running);
      stopped.reject(new StoppedError("The call was stopped."));
    };
    signal?.addEventListener("abort", stop, { once: true });
    try {
      running.process.stdin.write(`${JSON.stringify(request)}\n`);
      const { value: line, done } = await Promise.race([running.answers.next(), stopped.promise]);
      if (done) throw await this.#endedEarly(running);
      return this.#read(line);
    } finally {
      signal?.removeEventListener("abort", stop);
    }
  }

  async #start(): Promise<Running> {
    const { file, baseDir, python = "python3", env, environment, trusted } = this.#file;
    const command = python.includes("/") || python.includes(sep) ? resolve(baseDir, python) : python;
    const started = startServer(trusted, {
      command,
      args: ["-u", "-c", workerSource, resolve(baseDir, file), baseDir],
      cwd: baseDir,
      env: { ...inheritedVariables(environment), ...pythonCache(environment), PYTHONIOENCODING: "utf-8", ...env },
    });
    const process = await started.catch((cause: unknown) => {
      if (isBridleError(cause)) throw cause; // its code changed
      const code = systemErrorCode(cause);
      const reason = code === "ENOENT" ? `there is no program ${python}` : `${python} cannot be started (${code})`;
      const remedy = "Install Python 3.9 or newer, or name the program in python, such as .venv/bin/python.";
      throw new ConfigError(`${file} needs Python, but ${reason}. ${remedy}`, { field: "python", cause });
    });
    const running: Running = {
      process,
      answers: createInterface({ input: process.stdout })[Symbol.asyncIterator](),
      stderr: "",
    };
    process.stderr.setEncoding("utf8").on("data", (text: string) => {
      running.stderr = (running.stderr + text).slice(-stderrKept);
    });
    return running;
  }

  async #end(running: Running): Promise<void> {
    this.#running = undefined;
    await running.process.end(0);
  }

  async #endedEarly(running: Running): Promise<PythonError> {
    await this.#end(running);
    const words = running.stderr.trim();
    return new PythonError(
      `The Python process of ${this.#file.file} ended with ${await running.process.ended}${words === "" ? "" : `: ${words}`}.`,
    );
  }

  #read(line: string): unknown {
    const answer = answerSchema.parse(JSON.parse(line));
    if ("value" in answer) return answer.value;
    const position = answer.line === null ? this.#file.file : `${this.#file.file}:${answer.line}`;
    throw new PythonError(`${position}: ${answer.type}: ${answer.error}`);
  }
}
