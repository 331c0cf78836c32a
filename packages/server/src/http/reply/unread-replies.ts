import type { ServerResponse } from "node:http";
import { RequestProblem } from "../problem.ts";

/** A reply of this many bytes is always sent: what it tells of has been done. */
const smallBytes = 64 * 1024;

/** Bounds what whole replies take of the memory, and for how long, while their readers take nothing. */
export class UnreadReplies {
  readonly #mostBytes: number;
  readonly #stalledMs: number;
  #bytes = 0;

  constructor({ unreadBytes, stalledMs }: { readonly unreadBytes: number; readonly stalledMs: number }) {
    this.#mostBytes = unreadBytes;
    this.#stalledMs = stalledMs;
  }

  /** Call it before the reply is sent. Its connection is closed if it takes nothing for too long. @throws RequestProblem */
  add(outgoing: ServerResponse, bytes: number): void {
    if (bytes > smallBytes && this.#bytes > 0 && this.#bytes + bytes > this.#mostBytes) throw this.#tooMany();
    outgoing.setTimeout(this.#stalledMs, () => outgoing.destroy());
    if (outgoing.destroyed) return;
    this.#bytes += bytes;
    outgoing.once("close", () => {
      this.#bytes -= bytes;
    });
  }

  #tooMany(): RequestProblem {
    const message =
      "Replies that nobody reads fill the memory of the server. Read what you have asked for, and try again.";
    return new RequestProblem(503, "unread-replies", message, { retryAfterMs: 1000 }, { "retry-after": "1" });
  }
}
