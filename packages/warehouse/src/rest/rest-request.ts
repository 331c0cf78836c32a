/** Requests to the REST API of a service: sent again if that may help, and never sent unencrypted over a network. */
import { setTimeout as sleep } from "node:timers/promises";
import { type BridleError, ConfigError, InvalidRequestError, NetworkError } from "@bridle/protocol";
import { isTimeLimit, silentFailure } from "../sessions/silent-server.ts";
import { tlsReason } from "../sessions/tls-reason.ts";

export interface RestRequest {
  readonly method: "GET" | "POST";
  readonly url: URL;
  /** The address if the request is sent again. Default: the same. */
  readonly urlAgain?: URL | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds in which the service has to answer. Default: 60,000; services answer sooner, also if a statement runs on. */
  readonly answerMs?: number | undefined;
}

export interface RestAnswer {
  readonly status: number;
  readonly text: string;
}

export interface RestService {
  /** Such as `BigQuery`. */
  readonly product: string;
  /** Whether the same request may succeed later. Each request must have the same effect if it is sent again. */
  isTransient(answer: RestAnswer): boolean;
}

/** Waits before a request is sent again, in milliseconds. */
const waits = [250, 500, 1_000];

const defaultAnswerMs = 60_000;

/** No part of a result is as long, unless a single value is. */
const mostAnswerBytes = 100_000_000;

class AnswerTooLongError extends Error {}

const broken = new Set(["ECONNRESET", "EPIPE", "UND_ERR_SOCKET", "ETIMEDOUT"]);

/**
 * Sends a request. If the answer is transient or the connection breaks, the request is sent up to three times more.
 *
 * @throws NetworkError or ConfigError if there is no answer; what the signal throws if it is aborted.
 */
export async function sendRest(request: RestRequest, service: RestService): Promise<RestAnswer> {
  let next = request;
  for (const wait of waits) {
    const answer = await sendOnce(next).catch((error: unknown) => {
      if (request.signal?.aborted || !broken.has(codeOf(rootOf(error)))) throw explain(error, request, service);
      return undefined;
    });
    if (answer !== undefined && !service.isTransient(answer)) return answer;
    next = { ...request, url: request.urlAgain ?? request.url };
    await sleep(wait, undefined, { signal: request.signal });
  }
  return sendOnce(next).catch((error: unknown) => {
    throw explain(error, request, service);
  });
}

async function sendOnce({ method, url, headers, body, signal, answerMs }: RestRequest): Promise<RestAnswer> {
  const limit = AbortSignal.timeout(answerMs ?? defaultAnswerMs);
  const response = await fetch(url, {
    method,
    headers: { ...headers },
    body: body ?? null,
    redirect: "error",
    signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
  });
  return { status: response.status, text: await readText(response) };
}

/** Stops reading a body that is too long, before it is in memory. */
async function readText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > mostAnswerBytes) throw new AnswerTooLongError();
    chunks.push(chunk);
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}

function rootOf(error: unknown): unknown {
  return error instanceof Error && error.cause instanceof Error ? error.cause : error;
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

function explain(error: unknown, { url, signal }: RestRequest, { product }: RestService): unknown {
  if (signal?.aborted) return error;
  if (error instanceof AnswerTooLongError)
    return new InvalidRequestError(
      `${product} answered with more than ${mostAnswerBytes / 1_000_000} MB. Read fewer rows or shorter values.`,
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
