import { startTimer } from "@bridle/core";
import {
  type EmbedOptions,
  given,
  InvalidRequestError,
  optionsCheck,
  StoppedError,
  TimeoutError,
} from "@bridle/protocol";

const checkOptions = optionsCheck<EmbedOptions>(
  "embed",
  { signal: given.signal.optional(), timeoutMs: given.number.optional() },
  { error: InvalidRequestError },
);

/**
 * Runs one call to an embedder with a signal that combines the caller's signal, the time limit and `closing`. The signal's reason is the
 * BridleError with which the call ends.
 */
export async function runEmbedding<T>(
  options: EmbedOptions,
  closing: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  checkOptions(options);
  const { signal, timeoutMs = Number.POSITIVE_INFINITY } = options;
  if (!(timeoutMs > 0))
    throw new InvalidRequestError(`timeoutMs is ${timeoutMs}. Set a number above 0, or leave it out.`);
  const end = new AbortController();
  const stop = () => end.abort(new StoppedError("The request for embeddings was stopped by its caller."));
  const cancelTimer = startTimer(timeoutMs, () => end.abort(timeoutError(timeoutMs)));
  if (signal?.aborted) stop();
  signal?.addEventListener("abort", stop, { once: true });
  try {
    return await work(AbortSignal.any([end.signal, closing]));
  } finally {
    cancelTimer();
    signal?.removeEventListener("abort", stop);
  }
}

function timeoutError(timeoutMs: number): TimeoutError {
  const message = `The texts were not embedded within ${timeoutMs / 1000} s. Raise timeoutMs, or send fewer texts.`;
  return new TimeoutError(message);
}
