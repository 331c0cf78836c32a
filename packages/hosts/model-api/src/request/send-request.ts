/** One request until its response is complete: retries, waits for a used-up window, and the events meanwhile. */
import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4StreamPart } from "@ai-sdk/provider";
import {
  BackendCrashError,
  type BackendEvent,
  type BridleError,
  StoppedError,
  type TurnContext,
  UsageLimitError,
} from "@bridle/protocol";
import { readFailure } from "../errors/read-failure.ts";
import { interruptedError, type RequestFacts, toRequestError } from "../errors/request-error.ts";
import { limitWarning, readLimit } from "../response/limits.ts";
import { createStepReader, type StepReader, type StepResponse } from "../response/step-reader.ts";
import { delayBefore, type Pauses } from "./retry.ts";
import { wrongAddress } from "./transport.ts";

type RequestHost = Pick<TurnContext, "emit" | "awaitLimit">;

export interface SendOptions {
  model: LanguageModelV4;
  request: LanguageModelV4CallOptions;
  facts: RequestFacts;
  host: RequestHost;
  signal: AbortSignal;
  maxAttempts: number;
  pauses: Pauses;
  /** The text may be an object: it is not shown. */
  holdText: boolean;
  /** What the provider module had to say of the request, such as a setting that the model does not take. */
  warn(message: string): void;
}

/**
 * Rejects with a BridleError. What was shown of an answer that broke off is void with the `retry.scheduled` that
 * follows, and the next attempt goes on in the same step.
 */
export async function sendRequest(options: SendOptions): Promise<StepResponse> {
  const { host, facts, signal, maxAttempts, pauses } = options;
  let shown = false;
  for (let attempt = 1; ; attempt++) {
    const reader = createStepReader({ ...options, shown });
    try {
      return await readResponse(options, reader);
    } catch (thrown) {
      if (signal.aborted) throw stopped();
      const error = toRequestError(thrown, facts);
      shown = reader.shown;
      if (error.code === "config") throw reader.begun ? inTheMiddle(facts, error) : error;
      if (shown && error instanceof UsageLimitError) throw error; // no wait of hours in the middle of an answer
      if (error instanceof UsageLimitError) {
        host.emit(limitReached(error));
        await host.awaitLimit(error);
        attempt -= 1; // the window was shut: that was no try
      } else await pauseBefore(attempt + 1, error, thrown);
    }
  }

  async function pauseBefore(next: number, error: BridleError, thrown: unknown): Promise<void> {
    const { headers, status } = readFailure(thrown);
    const delayMs = delayBefore(next, { error, headers, random: pauses.random() });
    if (next > maxAttempts || delayMs === undefined) throw error;
    const told = { attempt: next - 1, maxAttempts: maxAttempts - 1, delayMs, reason: error.message };
    host.emit({ type: "retry.scheduled", ...told, ...(status === undefined ? {} : { status }) });
    await pauses.wait(delayMs, signal).catch(() => {
      throw stopped();
    });
  }
}

async function readResponse({ model, request, facts, host, signal, warn }: SendOptions, reader: StepReader) {
  const opened = Promise.resolve(model.doStream({ ...request, abortSignal: signal }));
  const { stream, response } = await untilAborted(opened, signal);
  const limit = readLimit(response?.headers ?? {});
  const warned = limit && limitWarning(limit);
  if (warned) host.emit(warned);
  try {
    for await (const part of partsOf(stream, signal)) {
      for (const event of reader.take(part)) host.emit(event);
    }
  } catch (error) {
    throw readFailure(error).isUnfinished ? incompleteError(response, reader, facts) : error;
  }
  for (const warning of reader.warnings) warn(describe(warning));
  if (reader.response === undefined) throw incompleteError(response, reader, facts);
  return reader.response;
}

/** What came to its end without an answer in it may never have been a stream of one. */
function incompleteError(response: Answered, { begun }: StepReader, facts: RequestFacts): BridleError {
  const type = response?.headers?.["content-type"] ?? "text of no type";
  return begun || type.includes("stream")
    ? interruptedError(facts)
    : wrongAddress(facts, `${type} in place of a stream`);
}

type Answered = Awaited<ReturnType<LanguageModelV4["doStream"]>>["response"];

/** The parts of a stream; ends at once when the signal is aborted, whatever the stream does. */
async function* partsOf(stream: ReadableStream<LanguageModelV4StreamPart>, signal: AbortSignal) {
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await untilAborted(reader.read(), signal);
      if (done) return;
      yield value;
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

export async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  work.catch(() => {}); // it may fail after the signal was aborted, when nobody waits for it
  signal.throwIfAborted();
  const aborted = Promise.withResolvers<never>();
  const onAbort = () => aborted.reject(signal.reason);
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}

/** An address that has answered in part is the right one. */
function inTheMiddle({ backend }: RequestFacts, cause: BridleError): BridleError {
  const message = `The backend ${backend} broke the protocol in the middle of an answer. Try again.`;
  return new BackendCrashError(message, { cause });
}

function limitReached({ window = "subscription", resetsAt }: UsageLimitError): BackendEvent {
  return { type: "limit.reached", window, ...(resetsAt ? { resetsAt: resetsAt.getTime() } : {}) };
}

function describe(warning: { type: string; feature?: string; details?: string; message?: string }): string {
  const { type, feature, details, message } = warning;
  return message ?? `${feature ?? type}: ${details ?? "not supported here"}`;
}

export function stopped(): StoppedError {
  return new StoppedError("The turn was stopped.");
}
