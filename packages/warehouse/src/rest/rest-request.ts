/** Sends requests to a service's REST API. Sends a request again if that may help. Never sends a request unencrypted over a network. */
import { setTimeout as sleep } from "node:timers/promises";
import { type BridleError, ConfigError, InvalidRequestError, NetworkError } from "@bridle/protocol";
import { isTimeLimit, silentFailure } from "../sessions/silent-server.ts";
import { tlsReason } from "../sessions/tls-reason.ts";

export interface RestRequest {
  readonly method: "GET" | "POST";
  readonly url: URL;
  /** The address if the request is sent again. Default: the same address. */
  readonly urlAgain?: URL | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /**
   * How many milliseconds the service may take to answer. Default: 60,000. Services answer sooner, even if a statement continues to run.
   */
  readonly answerMs?: number | undefined;
}

export interface RestAnswer {
  readonly status: number;
  readonly text: string;
  /** The wait in the `Retry-After` header, in milliseconds. Undefined without this header. */
  readonly retryAfterMs?: number | undefined;
}

export interface RestService {
  /** The product's name, for example `BigQuery`. */
  readonly product: string;
  /** Whether the same request may succeed later. Return true only if sending the request twice has the same effect as sending it once. */
  isTransient(answer: RestAnswer): boolean;
  /** The waits before a request is sent again, in milliseconds. Default: 250, 500 and 1,000. */
  readonly waitsMs?: readonly number[] | undefined;
  /**
   * The longest wait, in milliseconds, that an answer may ask for. An answer that asks for a longer wait is returned at once. Default:
   * waits in answers are ignored.
   */
  readonly maxWaitMs?: number | undefined;
  /** The maximum length of an answer in bytes. A longer answer is an error. Default: 100 MB. */
  readonly maxBytes?: number | undefined;
}

const defaultWaitsMs = [250, 500, 1_000];

const defaultAnswerMs = 60_000;

/** The default for `maxBytes`. Only a part of a result with a very long single value reaches this length. */
const maxAnswerBytes = 100_000_000;

class AnswerTooLongError extends Error {}

const broken = new Set(["ECONNRESET", "EPIPE", "UND_ERR_SOCKET", "ETIMEDOUT"]);

/**
 * Sends a request. If the answer is transient or the connection breaks, the request is sent again, by default up to three times.
 *
 * @throws NetworkError or ConfigError if no answer arrives, and the signal's reason if it is aborted.
 */
export async function sendRest(request: RestRequest, service: RestService): Promise<RestAnswer> {
  let next = request;
  for (const wait of service.waitsMs ?? defaultWaitsMs) {
    const answer = await sendOnce(next, service).catch((error: unknown) => {
      if (request.signal?.aborted || !broken.has(codeOf(rootOf(error)))) throw explain(error, request, service);
      return undefined;
    });
    if (answer !== undefined && !service.isTransient(answer)) return answer;
    const asked = service.maxWaitMs === undefined ? 0 : (answer?.retryAfterMs ?? 0);
    if (answer !== undefined && asked > (service.maxWaitMs ?? 0)) return answer;
    next = { ...request, url: request.urlAgain ?? request.url };
    await sleep(Math.max(wait, asked), undefined, { signal: request.signal });
  }
  return sendOnce(next, service).catch((error: unknown) => {
    throw explain(error, request, service);
  });
}

async function sendOnce(
  { method, url, headers, body, signal, answerMs }: RestRequest,
  { maxBytes = maxAnswerBytes }: RestService,
): Promise<RestAnswer> {
  const limit = AbortSignal.timeout(answerMs ?? defaultAnswerMs);
  const response = await fetch(url, {
    method,
    headers: { ...headers },
    body: body ?? null,
    redirect: "error",
    signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
  });
  const retryAfterMs = readRetryAfter(response.headers.get("retry-after"));
  const text = await readText(response, maxBytes);
  return { status: response.status, text, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
}

/** Reads the header, which contains seconds or a date. */
function readRetryAfter(header: string | null): number | undefined {
  if (header === null) return undefined;
  const ms = /^\d+$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - Date.now();
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined;
}

/** Reads a body. Stops if the body is too long, before all of it is in memory. */
async function readText(response: Response, maxBytes: number): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of response.body ?? []) {
    bytes += part.length;
    if (bytes > maxBytes) throw new AnswerTooLongError();
    parts.push(part);
  }
  return new TextDecoder().decode(Buffer.concat(parts));
}

function rootOf(error: unknown): unknown {
  return error instanceof Error && error.cause instanceof Error ? error.cause : error;
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

function explain(
  error: unknown,
  { url, signal }: RestRequest,
  { product, maxBytes = maxAnswerBytes }: RestService,
): unknown {
  if (signal?.aborted) return error;
  if (error instanceof AnswerTooLongError)
    return new InvalidRequestError(
      `${product} answered with more than ${maxBytes / 1_000_000} MB. Ask for less at a time.`,
    );
  if (isTimeLimit(error)) return silentFailure(`${product} at ${url.host}`, error);
  return unreachable(error, product, url.host);
}

function unreachable(cause: unknown, product: string, host: string): BridleError {
  const reason = rootOf(cause);
  const code = codeOf(reason);
  const text = reason instanceof Error && reason.message !== "" ? reason.message : code || String(reason);
  const message = tlsReason(text);
  if (/CERT|SSL|TLS|ALTNAME/i.test(code) || /certificate|SSL|TLS/i.test(message))
    return new ConfigError(
      `The TLS connection to ${product} at ${host} failed (${message}). Check the address and the certificate.`,
      { cause },
    );
  if (broken.has(code))
    return new NetworkError(`The connection to ${product} at ${host} was lost (${message}). Try again.`, { cause });
  return new NetworkError(`${product} at ${host} cannot be reached (${message}). Check the address and the network.`, {
    cause,
  });
}
