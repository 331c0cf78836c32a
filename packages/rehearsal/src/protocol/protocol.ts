import type { Answer } from "../engine/answer.ts";
import type { Conversation } from "../engine/conversation.ts";
import type { Ending, Limit } from "../script/script.ts";

/**
 * One wire protocol, as pure functions: a request's body in, what to send out. A protocol knows nothing of scripts
 * or sockets; the server knows nothing of a protocol's JSON. A further protocol is one folder that fills this in and
 * one line in `server/protocols.ts`.
 */
export interface Protocol {
  /** The path that it answers a POST on. */
  readonly path: string;
  /** Contract: never throws; a body that is no request of this protocol comes back as `problem`. */
  read(body: unknown): Reading;
  /** The events of a streamed answer. With `cut` and `stall` they end where the content does. */
  stream(answer: Answer, request: ModelRequest, ending: Ending): Iterable<StreamEvent>;
  /** The same answer in one piece. */
  whole(answer: Answer, request: ModelRequest): unknown;
  error(fault: Fault): unknown;
  /** `now` in milliseconds since 1970. */
  limitHeaders(limit: Limit, now: number): Record<string, string>;
  /** The API's other endpoints. Contract: `undefined` for one that it does not have. */
  other(endpoint: Endpoint): unknown;
}

export interface Endpoint {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
}

export type Reading = { readonly request: ModelRequest } | { readonly problem: string };

export interface ModelRequest {
  readonly model: string;
  readonly streaming: boolean;
  readonly conversation: Conversation;
}

export interface StreamEvent {
  readonly text: string;
  /** True for a piece of the answer's text, before which a paced stream waits. */
  readonly isPiece: boolean;
}

export interface Fault {
  readonly status: number;
  readonly type?: string;
  readonly message?: string;
  readonly requestId: string;
}
