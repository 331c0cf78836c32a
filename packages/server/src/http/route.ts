/** A route is a value: its checks, its documentation and its handler read one object. */
import type { Workspace } from "@bridle/app/serving";
import type { z } from "zod";

/** The permissions of a token: `viewer` can read; `operator` can also start runs, answer questions and make changes. */
export type Role = "viewer" | "operator";

/** Who sends a request. */
export interface RequestSender {
  /** The name of the token. */
  readonly name: string;
  readonly role: Role;
  /** The address that the request comes from. */
  readonly address: string;
  /** The user that the token belongs to. Undefined for the project itself. */
  readonly namespace: string | undefined;
}

/** Names in the path, such as `session` of `/sessions/{session}`. They are decoded once, and match `idPattern` of request/path-names.ts. */
export type PathNames = Readonly<Record<string, string>>;

export interface RouteRequest<Query, Body> {
  readonly names: PathNames;
  readonly query: Query;
  readonly body: Body;
  readonly headers: Headers;
  readonly caller: RequestSender;
  /** What this caller's user has: agents, sessions, runs. */
  readonly workspace: Workspace;
  /** The address of the server as the client reaches it, with its base path. Without a slash at its end. */
  readonly serverUrl: string;
  /** Aborted when the client is gone, or the server ends. */
  readonly signal: AbortSignal;
  /** Aborted when the client is gone: for replies that are still sent while a server that ends waits for its runs. */
  readonly gone: AbortSignal;
}

/**
 * JSON by default. A stream is sent as it is yielded, and waits for its reader: the next part is asked for only when the connection
 * has taken the one before. If it takes nothing for a minute, the connection is closed, and the stream gets its `return()`.
 */
export interface RouteReply {
  readonly status: number;
  /** A text is sent as it is, with `contentType`; anything else as JSON. Missing: none. */
  readonly body?: unknown;
  readonly stream?: AsyncIterable<string | Uint8Array>;
  /** Such as `text/event-stream`. Default: `application/json`. */
  readonly contentType?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Route<Query = unknown, Body = unknown> {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Below the base of its API, with names in braces: `/sessions/{session}/runs`. */
  readonly path: string;
  /** One sentence for the reference. */
  readonly summary: string;
  readonly role: Role;
  /** Whether a body may have files, and with `serve.uploads` 20 MiB instead of 1 MiB. */
  readonly takesFiles?: boolean;
  /**
   * For protocols with clients that send changing requests without a body and `Content-Type`. Default: such requests are rejected.
   */
  readonly isBodyless?: boolean;
  /** Strict: an unknown field is refused with the nearest name. The values of a query are texts: coerce them. */
  readonly query?: z.ZodType<Query>;
  readonly body?: z.ZodType<Body>;
  /** Whether the reply will be a stream. Its place among the streams is taken before `handle`, which then may begin something. */
  streams?(request: RouteRequest<Query, Body>): boolean;
  /** The schema of each reply by its status. `null`: no body, or not JSON. */
  readonly replies: Readonly<Record<number, z.ZodType | null>>;
  handle(request: RouteRequest<Query, Body>): Promise<RouteReply>;
}

/** Infers the types of query and body from their schemas. */
export function defineRoute<Query, Body>(route: Route<Query, Body>): Route {
  return route as unknown as Route; // the handler gets what these schemas have parsed
}
