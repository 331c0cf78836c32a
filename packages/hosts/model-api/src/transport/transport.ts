/**
 * Sends all requests of model APIs. Every provider module gets this function instead of `fetch`, so the rules that all hosts share are in
 * one place: silence ends a request; redirects are not followed, because the credential would be sent along; an HTML page is reported as a
 * wrong address.
 */
import { type ConfigError, isBridleError } from "@bridle/protocol";
import { settingError, settingPath } from "../settings/check-settings.ts";
import { IdleTimer } from "./idle-timer.ts";
import {
  interruptedBodyError,
  isNodeTimeout,
  nodeIdleMs,
  requestConnectionError,
  requestSilenceError,
} from "./network-errors.ts";
import { ResponseLimits } from "./response-limits.ts";
import type { Address, TransportOptions } from "./transport-options.ts";

export type Fetch = typeof globalThis.fetch;

/** Creates a `fetch` that rejects with a BridleError, or with the reason of the caller's signal. */
export function createTransport(options: TransportOptions): Fetch {
  return async (input, init = {}) => {
    const idle = new IdleTimer(options.idleTimeoutMs, () => requestSilenceError(options));
    const signal = init.signal ? AbortSignal.any([init.signal, idle.signal]) : idle.signal;
    const headers = withoutTelemetry(init.headers);
    try {
      const response = await fetch(input, { ...init, headers, signal, redirect: "manual" });
      idle.restart();
      const refusal = wrongAddressOf(response, options);
      if (!refusal) return withLimits(response, idle, options);
      await response.body?.cancel();
      throw refusal;
    } catch (error) {
      idle.stop();
      throw toTypedError(error, idle, options);
    }
  };
}

/** Removes the headers with a Vercel deployment's variables, which the gateway's module sends by default. */
function withoutTelemetry(given: RequestInit["headers"]): Headers {
  const headers = new Headers(given);
  for (const name of [...headers.keys()]) if (name.startsWith("ai-o11y-")) headers.delete(name);
  return headers;
}

/**
 * Returns the error if the response is a page. A failing service may also respond with a page, for which a retry may help; a wrong address
 * always responds with one.
 */
function wrongAddressOf({ status, headers }: Response, options: TransportOptions): ConfigError | undefined {
  const type = headers.get("content-type") ?? "";
  if (status >= 300 && status < 400) return wrongAddress(options, `a redirect to ${redirectTarget(headers, options)}`);
  const isPage = status < 500 && type.includes("text/html");
  return isPage ? wrongAddress(options, `a page of HTML (status ${status})`) : undefined;
}

/** Returns the target of a redirect, without the query and the fragment, which may contain a credential. */
function redirectTarget(headers: Headers, { baseUrl }: TransportOptions): string {
  const url = URL.parse(headers.get("location") ?? "", baseUrl);
  return url ? `${url.origin}${url.pathname}` : "an invalid address";
}

/** Returns the same response with limits on the body. Each chunk of the body restarts the `idle` timer. */
function withLimits(response: Response, idle: IdleTimer, options: TransportOptions): Response {
  const { body, status, statusText, headers } = response;
  if (!body) {
    idle.stop();
    return response;
  }
  const reader = body.getReader();
  const limits = new ResponseLimits(response, options);
  const stream = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        idle.restart();
        const { kept, isEnd } = done ? end : limits.accept(value);
        if (!done) controller.enqueue(kept);
        if (!isEnd) return;
        idle.stop();
        controller.close();
        if (!done) await reader.cancel();
      } catch (error) {
        idle.stop();
        reader.cancel().catch(() => {}); // the first error counts
        controller.error(toTypedError(error, idle, options, interruptedBodyError));
      }
    },
    cancel(reason) {
      idle.stop();
      return reader.cancel(reason);
    },
  });
  return new Response(stream, { status, statusText, headers });
}

const end = { kept: new Uint8Array(), isEnd: true } as const;

function toTypedError(
  error: unknown,
  { signal }: IdleTimer,
  options: TransportOptions,
  createError = requestConnectionError,
): unknown {
  if (signal.aborted) return signal.reason;
  if (isBridleError(error)) return error;
  if (isNodeTimeout(error)) return requestSilenceError({ ...options, idleTimeoutMs: nodeIdleMs });
  if (error instanceof Error && (error.name === "AbortError" || error.name === "TimeoutError")) return error;
  return createError(error, options);
}

/**
 * Returns the error for a base URL that does not lead to a model service.
 * @param found Describes the response.
 */
export function wrongAddress({ backend, baseUrl, section }: Address, found: string): ConfigError {
  const message = `The backend ${backend} got ${found} from ${baseUrl}, not a model's answer. The base URL is probably wrong. Correct ${settingPath("baseUrl", section)}.`;
  return settingError("baseUrl", message, section);
}
