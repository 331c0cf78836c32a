import type { Answer } from "../engine/answer.ts";
import type { Conversation } from "../engine/conversation.ts";
import type { Ending, Limit } from "../script/script.ts";

/**
 * One wire protocol, as pure functions: a request in, what to send out. A protocol knows nothing of scripts
 * or sockets; the server knows nothing of a protocol's JSON. A further protocol is one folder that fills this in and
 * one line in `server/protocols.ts`.
 */
export interface Protocol {
  /** Tells conversations in different protocols apart that begin alike. */
  readonly name: string;
  /** The paths that it answers a POST on, under any prefix that a client's base URL may have. */
  readonly path: RegExp;
  /** The response header that carries the id of a request. */
  readonly requestIdHeader: string;
  /** Contract: never throws; what is no request of this protocol comes back as `problem`. */
  read(arrival: Arrival): Reading;
  error(fault: Fault): ErrorReply;
  /** `now` in milliseconds since 1970. */
  limitHeaders(limit: Limit, now: number): Record<string, string>;
}

/** A request as it came in; header names in lower case. */
export interface Arrival {
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Parsed where it is JSON. */
  readonly body: unknown;
}

export type Reading = { readonly request: ModelRequest } | { readonly problem: string };

export interface ModelRequest {
  readonly conversation: Conversation;
  readonly reply: Reply;
  /** The body that answers where the script has nothing; without it, that is a failure. */
  unscripted?(): unknown;
}

/** How an answer is written: as a stream, or in one piece of JSON. */
export type Reply =
  | {
      readonly kind: "stream";
      readonly contentType: string;
      /** With `cut` and `stall` the events end where the content does. */
      events(answer: Answer, ending: Ending): Iterable<StreamEvent>;
    }
  | { readonly kind: "whole"; body(answer: Answer): unknown };

export interface StreamEvent {
  readonly data: string | Uint8Array;
  /** True for a piece of the answer's text, before which a paced stream waits. */
  readonly isPiece: boolean;
}

export interface Fault {
  readonly status: number;
  readonly type?: string;
  readonly message?: string;
  readonly requestId: string;
}

export interface ErrorReply {
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}
