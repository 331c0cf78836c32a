import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { basename } from "node:path";
import { InvalidRequestError, TimeoutError } from "@bridle/protocol";
import { startProgram } from "../../../processes/start-program.ts";
import type { PooledSession } from "../../../sessions/session-pool.ts";
import { explainOpening, explainStatementFailure, stoppedBy } from "../explain.ts";
import { type SqliteReply, type SqliteRequest, sqliteReply } from "./messages.ts";

export interface ReplyWait {
  /** How many milliseconds to wait, counted from the call. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

type ReplyOf<Kind extends SqliteReply["is"]> = Extract<SqliteReply, { is: Kind }>;

/** The time limit for starting a process and opening a file, in milliseconds: long enough for a busy machine. */
const openMs = 60_000;

/** One process that reads the file. If `receive` rejects, the process has ended and cannot be used again. */
export class SqliteProcess implements PooledSession {
  version = "";
  readonly #child: ChildProcess;
  readonly #file: string;
  readonly #replies: SqliteReply[] = [];
  #hasEnded = false;
  #wake: () => void = () => {};

  private constructor(child: ChildProcess, file: string) {
    this.#child = child;
    this.#file = file;
    const onEnd = () => {
      this.#hasEnded = true;
      this.#wake();
    };
    child.on("message", (reply) => {
      this.#replies.push(sqliteReply.parse(reply));
      this.#wake();
    });
    child.on("exit", onEnd).on("error", onEnd);
  }

  /** Starts a process, and opens the file in it. */
  static async open(file: string): Promise<SqliteProcess> {
    const process = SqliteProcess.#start(file);
    try {
      await process.#open();
      return process;
    } catch (error) {
      await process.destroy();
      throw error;
    }
  }

  static #start(file: string): SqliteProcess {
    const child = startProgram("sqlite-process", import.meta.url);
    return new SqliteProcess(child, file);
  }

  get isBroken(): boolean {
    return this.#hasEnded;
  }

  /** Does nothing: a SQLite statement that does not reach its next row can only be ended by ending its process. */
  interrupt(): Promise<void> {
    return this.destroy();
  }

  /** Does nothing: a process that was not ended waits for its next request. */
  async recover(): Promise<void> {}

  async #open(): Promise<void> {
    this.send({ do: "open", file: this.#file });
    const reply = await this.receive({ timeoutMs: openMs });
    if (reply.is === "failed") throw explainOpening(reply.failure, basename(this.#file));
    if (reply.is === "opened") this.version = reply.version;
  }

  /** Sends a request, and returns its single reply. */
  async ask<Kind extends "structure" | "marks">(
    request: SqliteRequest,
    kind: Kind,
    wait: ReplyWait,
  ): Promise<ReplyOf<Kind>> {
    this.send(request);
    const reply = await this.receive(wait);
    if (reply.is === "failed") throw explainStatementFailure(reply.failure, basename(this.#file));
    if (isKind(reply, kind)) return reply;
    throw new Error(`The process of SQLite replied "${reply.is}" to "${request.do}".`);
  }

  send(request: SqliteRequest): void {
    this.#child.send(request, () => {}); // if sending fails, the process has ended or ends soon
  }

  /**
   * Returns the next reply. If no reply arrives in time, or if the signal is aborted, ends the process, because SQLite offers no other way
   * to end a statement.
   *
   * @throws TimeoutError, AbortError, or InvalidRequestError if the process ended by itself.
   */
  async receive({ timeoutMs, signal }: ReplyWait): Promise<SqliteReply> {
    const timeout = AbortSignal.timeout(Math.max(0, Math.ceil(timeoutMs)));
    const either = signal === undefined ? timeout : AbortSignal.any([timeout, signal]);
    this.#ref(true);
    try {
      while (this.#replies.length === 0 && !this.#hasEnded && !either.aborted) await this.#somethingHappens(either);
    } finally {
      this.#ref(false);
    }
    const reply = this.#replies.shift();
    if (reply !== undefined) return reply;
    await this.destroy();
    if (signal?.aborted) throw stoppedBy(signal);
    if (timeout.aborted) throw new TimeoutError("The time limit passed, and the statement was ended.");
    throw new InvalidRequestError(
      `The statement needs more memory than it may have, and was ended (${this.#child.signalCode ?? this.#child.exitCode}). Read fewer rows or shorter values.`,
    );
  }

  /** Ends the process, even while it is busy. */
  async destroy(): Promise<void> {
    if (this.#child.pid === undefined || this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = once(this.#child, "exit");
    this.#child.ref();
    this.#child.kill("SIGKILL");
    await ended;
  }

  async #somethingHappens(signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const wake = () => resolve();
    this.#wake = wake;
    signal.addEventListener("abort", wake, { once: true });
    await promise;
    signal.removeEventListener("abort", wake);
  }

  /**
   * Keeps the program alive while it waits for a reply, but not for an idle process. Refers to both the channel and the process, because
   * the channel closes before a killed process is reported as ended.
   */
  #ref(isWaiting: boolean): void {
    if (isWaiting) {
      this.#child.ref();
      this.#child.channel?.ref?.();
    } else {
      this.#child.unref();
      this.#child.channel?.unref?.();
    }
  }
}

function isKind<Kind extends SqliteReply["is"]>(reply: SqliteReply, kind: Kind): reply is ReplyOf<Kind> {
  return reply.is === kind;
}
