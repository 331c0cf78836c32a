/** Requests to a server of Bridle. */
import { BridleRequestError, readRefusal } from "./request-error.ts";

export interface HttpOptions {
  /** The address of the server, such as `http://127.0.0.1:4900`. */
  readonly url: string;
  readonly token: string;
  /** Default: the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** Milliseconds of silence before a stream is reopened. Default: 45,000, the time of three missed comments of the server. */
  readonly quietMs?: number | undefined;
}

export interface HttpRequest {
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>> | undefined;
  /** Sent as JSON. */
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

  /** `path` contains the path segments, not encoded. Throws BridleRequestError if the server refuses. */
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
      redirect: "error", // the token goes to this server only
    });
    if (response.ok) return response;
    throw await readRefusal(response);
  }

  /** The parsed reply, typed by the server's schema. */
  async json<T>(method: string, path: readonly string[], request?: HttpRequest): Promise<T> {
    const response = await this.send(method, path, request);
    return (await response.json()) as T; // the server's tests check every reply against its schema
  }
}

/** Throws for a name that `fetch` would resolve as a step in the path: the request would go to another address. */
function formatPath(names: readonly string[]): string {
  return names.map((name) => `/${encodeName(name)}`).join("");
}

function encodeName(name: string): string {
  if (!["", ".", ".."].includes(name)) return encodeURIComponent(name);
  const detail = `"${name}" is not a valid id. Use one that the server has returned.`;
  throw new BridleRequestError(404, { code: "invalid-id", detail }); // like the server; a TypeError would mean a broken connection
}

function formatQuery(query: NonNullable<HttpRequest["query"]>): string {
  const given = Object.entries(query).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, String(value)]],
  );
  return given.length === 0 ? "" : `?${new URLSearchParams(given)}`;
}
