import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { InvalidRequestError } from "@bridle/protocol";
import { type EngineReply, type EngineRequest, engineReply } from "./engine-messages.ts";

type OnProgress = (done: number, total: number) => void;

/** The connection's side of an engine process. It cannot be used again after the process has ended. */
export class EngineProcess {
  /** The number of statements that the engine has reported so far. */
  statements = 0;
  readonly #child: ChildProcess;
  readonly #product: string;
  readonly #waiting = new Map<number, PromiseWithResolvers<EngineReply>>();
  readonly #progress = new Map<number, OnProgress>();
  #requests = 0;
  #hasEnded = false;

  constructor(child: ChildProcess, product: string) {
    this.#child = child;
    this.#product = product;
    child.on("message", (message) => this.#receive(engineReply.parse(message)));
    child.on("exit", this.#onEnd).on("error", this.#onEnd);
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Returns a number for a request and the messages that belong to it. */
  takeNumber(): number {
    this.#requests += 1;
    return this.#requests;
  }

  /**
   * Sends a request, and returns its reply.
   *
   * @throws InvalidRequestError if the process ends first.
   */
  ask(id: number, request: EngineRequest, onProgress?: OnProgress): Promise<EngineReply> {
    if (onProgress !== undefined) this.#progress.set(id, onProgress);
    const reply = Promise.withResolvers<EngineReply>();
    if (this.#hasEnded) reply.reject(this.#failure());
    else {
      this.#waiting.set(id, reply);
      this.#hold();
      this.tell(id, request);
    }
    return reply.promise;
  }

  /** Sends a request that has no reply. */
  tell(id: number, request: EngineRequest): void {
    if (!this.#hasEnded) this.#child.send({ ...request, id }, () => {}); // if sending fails, the process has ended or ends soon
  }

  /** Ends the process, even while it is busy. */
  async destroy(): Promise<void> {
    if (this.#child.pid === undefined || this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = once(this.#child, "exit");
    this.#child.ref();
    this.#child.kill("SIGKILL");
    await ended;
  }

  #receive(reply: EngineReply): void {
    this.statements = Math.max(this.statements, reply.statements);
    if (reply.is === "progress") {
      this.#progress.get(reply.id)?.(reply.done, reply.total);
      return;
    }
    this.#waiting.get(reply.id)?.resolve(reply);
    this.#waiting.delete(reply.id);
    this.#progress.delete(reply.id);
    this.#hold();
  }

  readonly #onEnd = (): void => {
    this.#hasEnded = true;
    for (const { reject } of this.#waiting.values()) reject(this.#failure());
    this.#waiting.clear();
    this.#hold();
  };

  #failure(): InvalidRequestError {
    const how = this.#child.signalCode ?? this.#child.exitCode ?? "it could not be started";
    return new InvalidRequestError(
      `${this.#product}: a statement needed more memory than the connection may have, or failed, and its process was ended (${how}). Read fewer rows or shorter values.`,
    );
  }

  /**
   * Keeps the program alive while it waits for a reply, but not for an idle process. Refers to both the channel and the process, because
   * the channel closes before a killed process is reported as ended.
   */
  #hold(): void {
    if (this.#waiting.size > 0) {
      this.#child.ref();
      this.#child.channel?.ref?.();
    } else {
      this.#child.unref();
      this.#child.channel?.unref?.();
    }
  }
}
