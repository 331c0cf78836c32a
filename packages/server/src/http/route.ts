/** A route is a value: its checks, its documentation and its handler use the same object. */
import type { Workspace } from "@bridle/app/serving";
import type { z } from "zod";

/** The permissions of a token: `viewer` can read; `operator` can also start runs, answer questions and make changes. */
export type Role = "viewer" | "operator";

/** The sender of a request. */
export interface RequestSender {
  /** The name of the token. */
  readonly name: string;
  readonly role: Role;
  /** The address of the client. */
  readonly address: string;
  /** The user that the token belongs to. Undefined for the project itself. */
  readonly namespace: string | undefined;
}

/**
 * Names in the path, such as `session` in `/sessions/{session}`. They are decoded once, and match `idPattern` of
 * request/path-names.ts.
 */
export type PathNames = Readonly<Record<string, string>>;

export interface RouteRequest<Query, Body> {
  readonly names: PathNames;
  readonly query: Query;
  readonly body: Body;
  readonly headers: Headers;
  readonly caller: RequestSender;
  /** The workspace of this caller's user: agents, sessions, and runs. */
  readonly workspace: Workspace;
  /** The URL of the server from the client's view, with its base path and without a trailing slash. */
  readonly serverUrl: string;
  /** Aborted when the client disconnects or the server shuts down. */
  readonly signal: AbortSignal;
  /** Aborted when the client disconnects. For replies that are still sent while the server waits for its runs during shutdown. */
  readonly gone: AbortSignal;
}

/**
 * JSON by default. A stream is sent as it is yielded, with back-pressure: the next part is requested only when the connection has
 * accepted the previous one. If the connection makes no progress for a minute, it is closed, and `return()` of the stream is
 * called.
 */
export interface RouteReply {
  readonly status: number;
  /** A string is sent unchanged with `contentType`; other values are sent as JSON. Missing for a reply without a body. */
  readonly body?: unknown;
  readonly stream?: AsyncIterable<string | Uint8Array>;
  /** Such as `text/event-stream`. Default: `application/json`. */
  readonly contentType?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Route<Query = unknown, Body = unknown> {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** The path below the base of its API, with names in braces: `/sessions/{session}/runs`. */
  readonly path: string;
  /** One sentence for the reference. */
  readonly summary: string;
  readonly role: Role;
  /** Whether a body may contain files. With `serve.uploads`, its limit is then 20 MiB instead of 1 MiB. */
  readonly takesFiles?: boolean;
  /**
   * For protocols with clients that send changing requests without a body and `Content-Type`. Default: such requests are rejected.
   */
  readonly isBodyless?: boolean;
  /** Strict: an unknown field is rejected with the nearest name. The values of a query are strings, so coerce them. */
  readonly query?: z.ZodType<Query>;
  readonly body?: z.ZodType<Body>;
  /** Whether the reply will be a stream. Its slot among the streams is taken before `handle`, so that `handle` can start work. */
  streams?(request: RouteRequest<Query, Body>): boolean;
  /** The schema of each reply by its status. `null`: no body, or not JSON. */
  readonly replies: Readonly<Record<number, z.ZodType | null>>;
  handle(request: RouteRequest<Query, Body>): Promise<RouteReply>;
}

/** Infers the types of query and body from their schemas. */
export function defineRoute<Query, Body>(route: Route<Query, Body>): Route {
  return route as unknown as Route; // the handler gets the values that these schemas have parsed
}
