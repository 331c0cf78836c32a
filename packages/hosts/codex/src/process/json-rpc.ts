import type { Readable, Writable } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import { refusedRequestError } from "../errors/refused-request.ts";
import { type Line, lineSchema, type RequestId } from "../messages/messages.ts";

/** Handles the requests and reports of the other side. */
export interface RpcHandlers {
  /** Answers a request from the process. If this rejects, the process gets an error. */
  onRequest(method: string, params: unknown): Promise<unknown>;
  onNotification(line: Line): void;
  /** Called for a line that is not a message. */
  onBroken(error: unknown): void;
  /** Called when a request has not been answered in time. Returns the error for the request. */
  onLate(): Error;
}

/** The maximum time of a timer in milliseconds. A longer timer would fire at once. */
const maxMs = 2 ** 31 - 1;

/** JSON-RPC over a process's standard streams: one message per line, without the `jsonrpc` key. */
export class JsonRpc {
  readonly #output: Writable;
  readonly #handlers: RpcHandlers;
  /** Milliseconds after which a request without an answer fails. */
  readonly #timeLimitMs: number;
  readonly #pending = new Map<RequestId, PromiseWithResolvers<unknown>>();
  readonly #decoder = new StringDecoder("utf8");
  #failure: unknown;
  #lastId = 0;
  #pieces: string[] = [];

  constructor(input: Readable, output: Writable, handlers: RpcHandlers, timeLimitMs: number) {
    this.#timeLimitMs = timeLimitMs;
    this.#output = output;
    this.#handlers = handlers;
    input.on("data", (bytes: Buffer) => this.#read(this.#decoder.write(bytes)));
  }

  request(method: string, params: object): Promise<unknown> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    const id = ++this.#lastId;
    const answer = Promise.withResolvers<unknown>();
    this.#pending.set(id, answer);
    this.#send({ id, method, params });
    // The timer must not keep this program alive. While the process is in use, its pipes do.
    const timer = setTimeout(() => answer.reject(this.#handlers.onLate()), Math.min(this.#timeLimitMs, maxMs)).unref();
    return answer.promise.finally(() => clearTimeout(timer));
  }

  notify(method: string): void {
    this.#send({ method });
  }

  /** Rejects every request that has no answer yet, and all later ones. */
  fail(error: unknown): void {
    this.#failure ??= error;
    for (const { reject } of this.#pending.values()) reject(error);
    this.#pending.clear();
  }

  #send(message: object): void {
    this.#output.write(`${JSON.stringify(message)}\n`);
  }

  /** Reads arriving text. A message may be long and arrive in many pieces, which are joined only once. */
  #read(text: string): void {
    const [first = "", ...rest] = text.split("\n");
    this.#pieces.push(first);
    for (const next of rest) {
      const line = this.#pieces.join("");
      this.#pieces = [next];
      if (line.trim() !== "") this.#receive(line);
    }
  }

  #receive(text: string): void {
    try {
      const line = lineSchema.parse(JSON.parse(text));
      if (line.method === undefined) this.#settle(line);
      else if (line.id === undefined) this.#handlers.onNotification(line);
      else void this.#answer(line.id, line.method, line.params);
    } catch (error) {
      this.#handlers.onBroken(error);
    }
  }

  #settle({ id = "", result, error }: Line): void {
    const answer = this.#pending.get(id);
    this.#pending.delete(id);
    if (error === undefined) answer?.resolve(result);
    else answer?.reject(refusedRequestError(error.message));
  }

  async #answer(id: RequestId, method: string, params: unknown): Promise<void> {
    try {
      const result = await this.#handlers.onRequest(method, params);
      if (result !== undefined) this.#send({ id, result });
    } catch (error) {
      this.#send({ id, error: { code: -32603, message: error instanceof Error ? error.message : String(error) } });
    }
  }
}
