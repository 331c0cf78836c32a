/** Sends requests to a Bridle server. */
import { BridleRequestError, readRefusal } from "./request-error.ts";

export interface HttpOptions {
  /** The address of the server, such as `http://127.0.0.1:4900`. */
  readonly url: string;
  readonly token: string;
  /** The function that sends requests. Default: the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** Milliseconds of silence before the client reopens a stream. Default: 45,000, the time in which the server sends three comments. */
  readonly quietMs?: number | undefined;
}

export interface HttpRequest {
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>> | undefined;
  /** The body, which is sent as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly signal?: AbortSignal | undefined;
}

export class Http {
  readonly #options: HttpOptions;

  constructor(options: HttpOptions) {
    this.#options = options;
  }

  get quietMs(): number {
    return this.#options.quietMs ?? 45_000;
  }

  /** Sends a request. `path` contains the path segments, not encoded. Throws BridleRequestError if the server refuses the request. */
  async send(
    method: string,
    path: readonly string[],
    { query = {}, body, headers, signal }: HttpRequest = {},
  ): Promise<Response> {
    const { url, token, fetch = globalThis.fetch } = this.#options;
    const response = await fetch(`${url.replace(/\/+$/, "")}/api/v1${formatPath(path)}${formatQuery(query)}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(method !== "GET" && { "content-type": "application/json" }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
      redirect: "error", // the token is sent only to this server
    });
    if (response.ok) return response;
    throw await readRefusal(response);
  }

  /** Returns the parsed reply, with the type of the server's schema. */
  async json<T>(method: string, path: readonly string[], request?: HttpRequest): Promise<T> {
    const response = await this.send(method, path, request);
    return (await response.json()) as T; // the server's tests check every reply against its schema
  }
}

/**
 * Joins the segments of a path. Throws if `fetch` would resolve a segment as a step in the path (`.` or `..`), which would send the request
 * to another address.
 */
function formatPath(names: readonly string[]): string {
  return names.map((name) => `/${encodeName(name)}`).join("");
}

function encodeName(name: string): string {
  if (!["", ".", ".."].includes(name)) return encodeURIComponent(name);
  const detail = `"${name}" is not a valid id. Use one that the server has returned.`;
  throw new BridleRequestError(404, { code: "invalid-id", detail }); // as from the server; a TypeError would mean a broken connection
}

function formatQuery(query: NonNullable<HttpRequest["query"]>): string {
  const given = Object.entries(query).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, String(value)]],
  );
  return given.length === 0 ? "" : `?${new URLSearchParams(given)}`;
}
