import type { ScriptAnswer } from "../engine/answer.ts";
import type { RehearsedConversation } from "../engine/conversation.ts";
import type { Ending, Limit } from "../script/script.ts";

/**
 * One wire protocol as pure functions, from a request to its answer. A protocol does not depend on scripts or sockets, and the server does
 * not depend on a protocol's JSON. To add a protocol, add a folder that implements this interface, and a line to `server/protocols.ts`.
 */
export interface Protocol {
  /** Distinguishes conversations in different protocols that begin in the same way. */
  readonly name: string;
  /** The paths of the protocol's POST requests, after any prefix of a client's base URL. */
  readonly path: RegExp;
  /** Whether this is the protocol of a request with these headers, if the path alone does not show the protocol. */
  isFor?(headers: Arrival["headers"]): boolean;
  /** The response header that contains the request's id. */
  readonly requestIdHeader: string;
  /** Reads a request. Returns a `problem` if the request is not valid in this protocol. Contract: never throws. */
  read(arrival: Arrival): Reading;
  error(fault: WireFault): ErrorReply;
  /** Returns the headers that report a limit. `now` is in milliseconds since 1970. */
  limitHeaders(limit: Limit, now: number): Record<string, string>;
}

/** A request that the server received. Header names are in lower case. */
export interface Arrival {
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The parsed body if it is JSON, or the text. */
  readonly body: unknown;
  readonly memory: Memory;
}

/** A protocol's memory of earlier requests, until the rehearsal starts again. */
export type Memory = Map<string, unknown>;

export type Reading = { readonly request: ModelRequest } | InvalidRequest;

/** Why the real API refuses a request. */
export interface InvalidRequest {
  readonly problem: string;
  /** Default: 400. */
  readonly status?: number;
  /** The API's own error code, if it has one. */
  readonly code?: string;
}

export interface ModelRequest {
  readonly conversation: RehearsedConversation;
  readonly reply: Reply;
  /** Returns the answer if the script has none. Without this function, a missing answer is a failure. */
  unscripted?(): unknown;
}

/** The form of an answer: a stream, or one JSON value. */
export type Reply =
  | {
      readonly kind: "stream";
      readonly contentType: string;
      /** Yields the events of an answer. With `cut` and `stall`, the events end after the content. */
      events(answer: ScriptAnswer, ending: Ending): Iterable<StreamEvent>;
    }
  | { readonly kind: "whole"; body(answer: ScriptAnswer): unknown };

export interface StreamEvent {
  readonly data: string | Uint8Array;
  /** Whether the event is a piece of the answer's text. A stream with `chunk_ms` waits before each piece. */
  readonly isPiece: boolean;
}

export interface WireFault {
  readonly status: number;
  readonly type?: string | undefined;
  readonly message?: string | undefined;
  /** The API's own error code for the fault, if it has one. */
  readonly code?: string | undefined;
  readonly requestId: string;
  /** Whether the script uses a used-up limit as the reason. */
  readonly isLimit?: boolean;
}

export interface ErrorReply {
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}
