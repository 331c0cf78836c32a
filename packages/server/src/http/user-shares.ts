import { ClientConnections, Shares } from "@bridle/mcp-server/http";
import type { HttpLimits } from "./limits.ts";
import { RequestProblem } from "./problem.ts";
import { UnreadReplies } from "./reply/unread-replies.ts";
import { UserTurns } from "./user-turns.ts";

/** The resources that the users of a server share, so that no user can take all of them. */
export class UserShares {
  readonly connections: ClientConnections;
  readonly unread: UnreadReplies;
  /** The turns of requests that only read. Such requests end by themselves, so waiting for them cannot cause a deadlock. */
  readonly readings: UserTurns;
  readonly #requests: Shares;
  readonly #streams: Shares;

  /** `users`: the number of users that share the resources. */
  constructor(limits: HttpLimits, users: number) {
    this.connections = new ClientConnections(limits, users);
    this.unread = new UnreadReplies(limits, users);
    this.readings = new UserTurns(limits.readings);
    this.#requests = new Shares(limits.requests, users);
    this.#streams = new Shares(limits.streams, users);
  }

  /** Takes a request slot, which the returned function releases. @throws RequestProblem if none is free. */
  takeRequest(user: string): () => void {
    return take(this.#requests, user, "requests");
  }

  /** Takes a stream slot, which the returned function releases. @throws RequestProblem if none is free. */
  takeStream(user: string): () => void {
    return take(this.#streams, user, "streams");
  }
}

const remedies = { requests: "Wait for their answers", streams: "Close one" } as const;

function take(shares: Shares, user: string, what: "requests" | "streams"): () => void {
  if (!shares.take(user)) {
    const limit = shares.heldBy(user);
    const message = `The token ${user} has ${limit} ${what} open, and the rest are reserved for other users. ${remedies[what]}, and try again.`;
    throw new RequestProblem(503, `too-many-${what}`, message, { limit, retryAfterMs: 1000 }, { "retry-after": "1" });
  }
  let isFree = false;
  return () => {
    if (!isFree) shares.leave(user);
    isFree = true;
  };
}
