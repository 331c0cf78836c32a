/** Defines routes as values, so that their checks, their documentation and their handlers use the same object. */
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
  /** The user to whom the token belongs. Undefined for the project itself. */
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
  /** The workspace of this caller's user, with agents, sessions and runs. */
  readonly workspace: Workspace;
  /** The URL of the server from the client's view, with its base path and without a trailing slash. */
  readonly serverUrl: string;
  /** Aborted when the client disconnects or the server shuts down. */
  readonly signal: AbortSignal;
  /** Aborted when the client disconnects. For replies that are still sent while the server waits for its runs during shutdown. */
  readonly gone: AbortSignal;
}

/**
 * A reply: JSON by default. A stream is sent as it is yielded, with back-pressure: the next part is requested only when the connection has
 * accepted the previous one. If the connection makes no progress for a minute, it is closed, and `return()` of the stream is
 * called.
 */
export interface RouteReply {
  readonly status: number;
  /** A string is sent unchanged with `contentType`; other values are sent as JSON. Missing for a reply without a body. */
  readonly body?: unknown;
  readonly stream?: AsyncIterable<string | Uint8Array>;
  /** The content type, such as `text/event-stream`. Default: `application/json`. */
  readonly contentType?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Route<Query = unknown, Body = unknown> {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** The path below the base of its API, with names in braces: `/sessions/{session}/runs`. */
  readonly path: string;
  /** The description of the route in the reference, in one sentence. */
  readonly summary: string;
  readonly role: Role;
  /** Whether a body may contain files. With `serve.uploads`, its limit is then 20 MiB instead of 1 MiB. */
  readonly takesFiles?: boolean;
  /**
   * Whether requests that change something may have no body and no `Content-Type`, as some protocols' clients send them. Default: false.
   */
  readonly isBodyless?: boolean;
  /** The schemas. Make them strict, so that an unknown field is rejected with the nearest name. Coerce query values, which are strings. */
  readonly query?: z.ZodType<Query>;
  readonly body?: z.ZodType<Body>;
  /** Whether the reply will be a stream. Its slot among the streams is taken before `handle`, so that `handle` can start work. */
  streams?(request: RouteRequest<Query, Body>): boolean;
  /** The schema of each reply, by status. `null` stands for no body, or a body that is not JSON. */
  readonly replies: Readonly<Record<number, z.ZodType | null>>;
  handle(request: RouteRequest<Query, Body>): Promise<RouteReply>;
}

/** Infers the types of query and body from their schemas. */
export function defineRoute<Query, Body>(route: Route<Query, Body>): Route {
  return route as unknown as Route; // the handler gets the values that these schemas have parsed
}
