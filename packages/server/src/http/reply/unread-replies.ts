import type { ServerResponse } from "node:http";
import { Shares } from "@bridle/mcp-server/http";
import { RequestProblem } from "../problem.ts";

/** Replies up to this size are always sent, because the work that they report is already done. */
const smallBytes = 64 * 1024;

/** Limits the memory that complete replies use, and the time for which their readers may make no progress. */
export class UnreadReplies {
  readonly #shares: Shares;
  readonly #stalledMs: number;

  constructor({ unreadBytes, stalledMs }: { readonly unreadBytes: number; readonly stalledMs: number }, users: number) {
    this.#shares = new Shares(unreadBytes, users);
    this.#stalledMs = stalledMs;
  }

  /** Adds a reply. Call this before sending it. The connection is closed if it makes no progress for too long. @throws RequestProblem */
  add(outgoing: ServerResponse, user: string, bytes: number): void {
    const isAlwaysSent = bytes <= smallBytes || this.#shares.heldBy(user) === 0;
    if (isAlwaysSent) this.#shares.add(user, bytes);
    else if (!this.#shares.take(user, bytes)) throw this.#tooMany();
    outgoing.setTimeout(this.#stalledMs, () => outgoing.destroy());
    if (outgoing.destroyed) this.#shares.leave(user, bytes);
    else outgoing.once("close", () => this.#shares.leave(user, bytes));
  }

  #tooMany(): RequestProblem {
    const message = "Unread replies fill the memory of the server. Read the replies to your requests, and try again.";
    return new RequestProblem(503, "unread-replies", message, { retryAfterMs: 1000 }, { "retry-after": "1" });
  }
}
