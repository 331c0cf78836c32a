/**
 * The one way out. Every provider module gets this in place of `fetch`, so that what all hosts have in common is
 * written once: silence ends a request, a redirect is not followed with a credential in hand, and a page of HTML is
 * told apart from a model's answer.
 */
import { type ConfigError, isBridleError, NetworkError, TimeoutError } from "@bridle/protocol";
import { fieldOf, wrong } from "../settings/check-settings.ts";

export type Fetch = typeof globalThis.fetch;

export interface TransportOptions {
  backend: string;
  baseUrl: string;
  /** The part of `bridle.yaml` that the settings stand in. Default `llm.provider`. */
  section?: string | undefined;
  /** Milliseconds without a byte until a request is given up; counts from the request and from each chunk. */
  idleTimeoutMs: number;
}

/** Rejects with a BridleError, or with the reason of the caller's signal. */
export function createTransport(options: TransportOptions): Fetch {
  return async (input, init = {}) => {
    const watch = createWatch(options);
    const signal = init.signal ? AbortSignal.any([init.signal, watch.signal]) : watch.signal;
    const headers = withoutTelemetry(init.headers);
    try {
      const response = await fetch(input, { ...init, headers, signal, redirect: "manual" });
      watch.alive();
      const refusal = refusalOf(response, options);
      if (!refusal) return watched(response, watch, options);
      await response.body?.cancel();
      throw refusal;
    } catch (error) {
      watch.stop();
      throw toTyped(error, watch, options);
    }
  };
}

interface Watch {
  readonly signal: AbortSignal;
  /** Something came: the time begins anew. */
  alive(): void;
  stop(): void;
}

/** `setTimeout` fires at once for a longer time than this. */
const longestMs = 2 ** 31 - 1;

function createWatch(options: TransportOptions): Watch {
  const controller = new AbortController();
  const giveUp = () => controller.abort(silent(options));
  const idleMs = Math.min(options.idleTimeoutMs, longestMs);
  let timer = setTimeout(giveUp, idleMs).unref();
  return {
    signal: controller.signal,
    alive() {
      clearTimeout(timer);
      timer = setTimeout(giveUp, idleMs).unref();
    },
    stop: () => clearTimeout(timer),
  };
}

/** The gateway's module adds what the environment says of a deployment on Vercel; nobody asked for that. */
function withoutTelemetry(given: RequestInit["headers"]): Headers {
  const headers = new Headers(given);
  for (const name of [...headers.keys()]) if (name.startsWith("ai-o11y-")) headers.delete(name);
  return headers;
}

/** A failing service may well answer with a page, which is worth another try; a wrong address does so for good. */
function refusalOf({ status, headers }: Response, options: TransportOptions): ConfigError | undefined {
  const type = headers.get("content-type") ?? "";
  if (status >= 300 && status < 400) return wrongAddress(options, `a redirect to ${placeOf(headers, options)}`);
  const isPage = status < 500 && type.includes("text/html");
  return isPage ? wrongAddress(options, `a page of HTML (status ${status})`) : undefined;
}

/** Where a redirect leads, without what may be a credential. */
function placeOf(headers: Headers, { baseUrl }: TransportOptions): string {
  const url = URL.parse(headers.get("location") ?? "", baseUrl);
  return url ? `${url.origin}${url.pathname}` : "an address that is none";
}

/** The answer, with its silence watched to the end. */
function watched(response: Response, watch: Watch, options: TransportOptions): Response {
  const { body, status, statusText, headers } = response;
  if (!body) {
    watch.stop();
    return response;
  }
  const reader = body.getReader();
  const stream = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        watch.alive();
        if (!done) return controller.enqueue(value);
        watch.stop();
        controller.close();
      } catch (error) {
        watch.stop();
        controller.error(toTyped(error, watch, options, broken));
      }
    },
    cancel(reason) {
      watch.stop();
      return reader.cancel(reason);
    },
  });
  return new Response(stream, { status, statusText, headers });
}

function toTyped(error: unknown, { signal }: Watch, options: TransportOptions, otherwise = lost): unknown {
  if (signal.aborted) return signal.reason;
  if (isBridleError(error)) return error;
  if (silentCodes.includes(codeOf(error) ?? "")) return silent(options, nodeIdleMs);
  if (error instanceof Error && (error.name === "AbortError" || error.name === "TimeoutError")) return error;
  return otherwise(error, options);
}

function lost(cause: unknown, { backend, baseUrl, section }: TransportOptions): NetworkError {
  const remedy = `Check the network and ${fieldOf("baseUrl", section)}.`;
  const message = `The backend ${backend} cannot be reached at ${baseUrl}: ${reasonOf(cause)}. ${remedy}`;
  return new NetworkError(message, { cause });
}

/** It was reached, and had begun to answer. */
function broken(cause: unknown, { backend, baseUrl }: TransportOptions): NetworkError {
  const message = `The answer of the backend ${backend} broke off before its end (${baseUrl}): ${reasonOf(cause)}.`;
  return new NetworkError(`${message} Check the network, and try again.`, { cause });
}

function reasonOf(cause: unknown): string {
  const code = codeOf(cause);
  return code === undefined ? innermost(cause) : (reasons[code] ?? `the connection failed (${code})`);
}

/** Node's own limit on silence. */
const nodeIdleMs = 300_000;
const silentCodes = ["UND_ERR_HEADERS_TIMEOUT", "UND_ERR_BODY_TIMEOUT"];

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: "nothing listens there (ECONNREFUSED)",
  ENOTFOUND: "the name is not known (ENOTFOUND)",
  EAI_AGAIN: "the name could not be looked up (EAI_AGAIN)",
  ECONNRESET: "the connection was cut (ECONNRESET)",
  UND_ERR_SOCKET: "the connection was cut (UND_ERR_SOCKET)",
};

/** Node wraps the cause of a failed request; the code stands on the innermost error. */
function codeOf(error: unknown): string | undefined {
  for (let current = error; current instanceof Error; current = current.cause) {
    if ("code" in current && typeof current.code === "string") return current.code;
  }
  return undefined;
}

/** What the first cause says. Node 24 makes an error without a word of an answer 407. */
function innermost(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.cause !== undefined) return innermost(error.cause);
  return error.message || "the request failed without a reason, as where a proxy wants credentials (status 407)";
}

function silent(
  { backend, baseUrl, section, idleTimeoutMs }: TransportOptions,
  silentMs = idleTimeoutMs,
): TimeoutError {
  const more = silentMs < nodeIdleMs ? `, or allow more silence with ${fieldOf("idleTimeoutMs", section)}` : "";
  return new TimeoutError(
    `The backend ${backend} sent nothing for ${silentMs / 1000} s (${baseUrl}). Try again later${more}.`,
  );
}

/** What answers at the base URL is not the host that was meant. */
export function wrongAddress(
  { backend, baseUrl, section }: Omit<TransportOptions, "idleTimeoutMs">,
  what: string,
): ConfigError {
  const message = `The backend ${backend} got ${what} from ${baseUrl}, not a model's answer. The base URL is probably wrong: mend ${fieldOf("baseUrl", section)}.`;
  return wrong("baseUrl", message, section);
}
