/** Sends one request until its response is complete. Repeats it, waits for used-up windows, and emits the events. */
import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { untilAborted } from "@bridle/core";
import {
  BackendCrashError,
  type BackendEvent,
  type BridleError,
  type Cost,
  omitUndefined,
  StoppedError,
  type TurnContext,
  type Usage,
  UsageLimitError,
} from "@bridle/protocol";
import { readFailure } from "../errors/read-failure.ts";
import { interruptedError, type RequestFacts, toRequestError } from "../errors/request-error.ts";
import { limitWarning, readLimit } from "../response/limits.ts";
import { StepReader, type StepResponse } from "../response/step-reader.ts";
import { wrongAddress } from "../transport/transport.ts";
import { delayBefore, type Pauses } from "./retry.ts";

export interface SendRequestOptions {
  model: LanguageModelV4;
  request: LanguageModelV4CallOptions;
  facts: RequestFacts;
  context: Pick<TurnContext, "emit" | "awaitLimit" | "eventDetails">;
  signal: AbortSignal;
  maxAttempts: number;
  pauses: Pauses;
  /** Whether to hold text back, because it may be a structured output. */
  holdText: boolean;
  /** Called with the provider module's warnings, such as a setting that the model does not accept. */
  onWarning(message: string): void;
  /** Called with a response that broke off. Returns its tokens and cost, as far as they are known. */
  onBroken(response: Pick<StepReader, "firstUsage" | "model">): { usage?: Usage; cost?: Cost | undefined };
}

/**
 * Rejects with a BridleError. If an answer breaks off, emits a `retry.scheduled` event, which cancels the answer's events. The next attempt
 * continues the same step.
 */
export async function sendRequest(options: SendRequestOptions): Promise<StepResponse> {
  const { context, facts, signal } = options;
  const streamsInput = context.eventDetails?.includes("tool-input");
  let hasEmitted = false;
  for (let attempt = 1; ; attempt++) {
    const reader = new StepReader({ holdText: options.holdText, streamsInput, hasEmitted });
    try {
      return await readResponse(options, reader);
    } catch (thrown) {
      if (signal.aborted) throw stoppedError();
      const error = toRequestError(thrown, facts);
      const spent = reader.hasBegun ? options.onBroken(reader) : {};
      hasEmitted = reader.hasEmitted;
      if (error.code === "config") throw reader.hasBegun ? protocolError(facts, error) : error;
      if (hasEmitted && error instanceof UsageLimitError) throw error; // a wait of hours must not interrupt an answer
      if (error instanceof UsageLimitError) {
        context.emit(limitReached(error));
        await context.awaitLimit(error);
        attempt -= 1; // an attempt while the window is used up does not count
      } else await pauseBefore(attempt + 1, { error, thrown, spent }, options);
    }
  }
}

interface Failed {
  error: BridleError;
  thrown: unknown;
  /** The known usage and cost of the response that broke off. */
  spent: ReturnType<SendRequestOptions["onBroken"]>;
}

/** Waits before the next attempt. Throws the error if it is final. */
async function pauseBefore(next: number, { error, thrown, spent }: Failed, options: SendRequestOptions): Promise<void> {
  const { context, maxAttempts, pauses, signal } = options;
  const { headers, status } = readFailure(thrown);
  const delayMs = delayBefore(next, { error, headers, random: pauses.random() });
  if (next > maxAttempts || delayMs === undefined) throw error;
  const scheduled = {
    attempt: next - 1,
    maxAttempts: maxAttempts - 1,
    delayMs,
    reason: error.message,
    status,
    ...spent,
  };
  context.emit(omitUndefined({ type: "retry.scheduled" as const, ...scheduled }));
  await pauses.wait(delayMs, signal).catch(() => {
    throw stoppedError();
  });
}

async function readResponse(options: SendRequestOptions, reader: StepReader): Promise<StepResponse> {
  const { model, request, facts, context, signal, onWarning } = options;
  const opened = Promise.resolve(model.doStream({ ...request, abortSignal: signal }));
  const { stream, response } = await untilAborted(opened, signal);
  const limit = readLimit(response?.headers ?? {});
  const warning = limit && limitWarning(limit);
  if (warning) context.emit(warning);
  try {
    for await (const part of readParts(stream, signal)) {
      for (const event of reader.read(part)) context.emit(event);
    }
  } catch (error) {
    throw readFailure(error).isUnfinished ? incompleteError(response, reader, facts) : error;
  }
  for (const each of reader.warnings) onWarning(describeWarning(each));
  if (reader.response === undefined) throw incompleteError(response, reader, facts);
  return reader.response;
}

type ResponseInfo = Awaited<ReturnType<LanguageModelV4["doStream"]>>["response"];

/** Returns the error for an incomplete body. If the body ends without any answer, the response may not come from a model API. */
function incompleteError(response: ResponseInfo, { hasBegun }: StepReader, facts: RequestFacts): BridleError {
  const type = response?.headers?.["content-type"] ?? "a body of no type";
  if (hasBegun || type.includes("stream")) return interruptedError(facts);
  return wrongAddress(facts, `${type} instead of a stream`);
}

/** Reads the parts of a stream. Ends at once when the signal is aborted, whatever the stream does. */
async function* readParts(stream: ReadableStream<LanguageModelV4StreamPart>, signal: AbortSignal) {
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

/** Replaces a wrong-address error after part of an answer arrived, because the address must be right. */
function protocolError({ backend }: RequestFacts, cause: BridleError): BridleError {
  const message = `The backend ${backend} broke the protocol in the middle of an answer. Try again.`;
  return new BackendCrashError(message, { cause });
}

function limitReached({ window = "subscription", resetsAt }: UsageLimitError): BackendEvent {
  return omitUndefined({ type: "limit.reached" as const, window, resetsAt: resetsAt?.getTime() });
}

interface ProviderWarning {
  type: string;
  feature?: string;
  details?: string;
  message?: string;
}

function describeWarning({ type, feature, details, message }: ProviderWarning): string {
  return message ?? `${feature ?? type}: ${details ?? "not supported here"}`;
}

export function stoppedError(): StoppedError {
  return new StoppedError("The turn was stopped.");
}
