/** Sends requests to a tool's API. Describes each failure in one sentence without credentials. */
import { BridleError, type ErrorCode, isTooDeep } from "@bridle/protocol";
import { type RestAnswer, type RestRequest, sendRest } from "@bridle/warehouse";
import type { z } from "zod";
import type { SourceServices } from "../kinds/source-kind.ts";

/** The maximum wait. A longer one counts as a refusal. */
const maxWaitMs = 120_000;
const maxBytes = 64_000_000;

/**
 * `login`: all further requests would fail, too. The other failures affect one object only. `refused`: the request is wrong, for example
 * because the object is of another kind.
 */
type ApiFailure = "login" | "forbidden" | "missing" | "busy" | "refused" | "odd";
const codes: Readonly<Record<ApiFailure, ErrorCode>> = {
  login: "authentication",
  forbidden: "authentication",
  missing: "invalid_request",
  busy: "overloaded",
  refused: "invalid_request",
  odd: "invalid_request",
};

export class ApiError extends BridleError {
  readonly failure: ApiFailure;

  constructor(failure: ApiFailure, message: string) {
    super(codes[failure], message, { retryable: failure === "busy" });
    this.failure = failure;
  }
}

export interface ApiClientOptions {
  /** The name of the tool, such as `Notion`. */
  readonly product: string;
  readonly base: URL;
  /** The remedy for a refused login, as a sentence. */
  readonly loginRemedy: string;
  readonly services: Pick<SourceServices, "waitsMs">;
  /** Returns headers with the credentials. Called before each request. */
  headers(signal: AbortSignal): Promise<Readonly<Record<string, string>>>;
  /** Forgets a login that has expired, so that `headers` logs in again. Missing if the credentials are sent with each request. */
  forgetLogin?(): void;
}

export interface ApiRequest {
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | undefined>> | undefined;
  /** The body, which is sent as JSON. Without a body, the request is a GET. */
  readonly body?: object | undefined;
  /** What is requested, for messages, such as `the page Fares`. */
  readonly what: string;
  readonly signal: AbortSignal;
}

export class ApiClient {
  readonly #options: ApiClientOptions;

  constructor(options: ApiClientOptions) {
    this.#options = options;
  }

  /** Sends a request and returns the parsed answer. Rejects with an ApiError, a NetworkError, or the signal's reason. */
  async ask<Schema extends z.ZodType>(request: ApiRequest, schema: Schema): Promise<z.output<Schema>> {
    const { base, forgetLogin } = this.#options;
    const sendNow = async () => this.send(toRest(request, base, await this.#options.headers(request.signal)));
    let answer = await sendNow();
    if (answer.status === 401 && forgetLogin !== undefined) {
      forgetLogin();
      answer = await sendNow();
    }
    this.check(answer, request.what);
    return this.parse(answer, schema, request.what);
  }

  send(request: RestRequest): Promise<RestAnswer> {
    const { product, services } = this.#options;
    const isTransient = ({ status }: RestAnswer) => status === 429 || status >= 500;
    return sendRest(request, { product, isTransient, maxWaitMs, maxBytes, waitsMs: services.waitsMs });
  }

  parse<Schema extends z.ZodType>({ text }: RestAnswer, schema: Schema, what: string): z.output<Schema> {
    try {
      const raw: unknown = JSON.parse(text);
      const parsed = isTooDeep(raw) ? undefined : schema.safeParse(raw);
      if (parsed?.success) return parsed.data;
    } catch {
      // The remedy for invalid JSON is the same as for JSON with unexpected fields.
    }
    throw new ApiError(
      "odd",
      `${this.#options.product} sent an unexpected answer about ${what}. Try again, or leave it out.`,
    );
  }

  /** Throws an ApiError unless the answer is a success. */
  check({ status, retryAfterMs }: RestAnswer, what: string): void {
    const { product, loginRemedy } = this.#options;
    if (status >= 200 && status < 300) return;
    if (status === 401) throw new ApiError("login", `${product} refused the login (401). ${loginRemedy}`);
    if (status === 403)
      throw new ApiError(
        "forbidden",
        `${product} does not show ${what} to this login (403). Share it, or leave it out.`,
      );
    if (status === 404)
      throw new ApiError(
        "missing",
        `${product} did not find ${what}, or does not show it (404). Share it, or leave it out.`,
      );
    if (status === 429) {
      const wait = retryAfterMs === undefined ? "later" : `in ${Math.ceil(retryAfterMs / 1_000)} seconds`;
      throw new ApiError(
        "busy",
        `${product} has had too many requests (429), and did not send ${what}. Try again ${wait}.`,
      );
    }
    if (status >= 500) throw new ApiError("busy", `${product} failed to send ${what} (${status}). Try again later.`);
    throw new ApiError("refused", `${product} refused to send ${what} (${status}). Leave it out, or report it.`);
  }
}

function toRest(
  { path, query = {}, body, signal }: ApiRequest,
  base: URL,
  headers: Readonly<Record<string, string>>,
): RestRequest {
  const url = new URL(`${base.pathname.replace(/\/+$/, "")}${path}`, base);
  for (const [key, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(key, String(value));
  const all = { Accept: "application/json", ...headers };
  if (body === undefined) return { method: "GET", url, headers: all, signal };
  return {
    method: "POST",
    url,
    headers: { ...all, "Content-Type": "application/json" },
    body: JSON.stringify(body),
    signal,
  };
}
