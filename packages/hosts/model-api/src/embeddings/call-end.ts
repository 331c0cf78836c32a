import { startTimer } from "@bridle/core";
import { type EmbedOptions, InvalidRequestError, StoppedError, TimeoutError } from "@bridle/protocol";

/**
 * Does the work of one call under a signal that brings every end from outside: the caller's signal, the time limit and
 * `closing`. The signal's reason is the BridleError that the call then ends with.
 */
export async function untilItsEnd<T>(
  { signal, timeoutMs = Number.POSITIVE_INFINITY }: EmbedOptions,
  closing: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  if (!(timeoutMs > 0))
    throw new InvalidRequestError(`timeoutMs is ${timeoutMs}. Give a number above 0, or leave it out.`);
  const end = new AbortController();
  const stop = () => end.abort(new StoppedError("The call for embeddings was stopped by its caller."));
  const callOff = startTimer(timeoutMs, () => end.abort(tooLate(timeoutMs)));
  if (signal?.aborted) stop();
  signal?.addEventListener("abort", stop, { once: true });
  try {
    return await work(AbortSignal.any([end.signal, closing]));
  } finally {
    callOff();
    signal?.removeEventListener("abort", stop);
  }
}

function tooLate(timeoutMs: number): TimeoutError {
  const message = `The texts were not embedded within ${timeoutMs / 1000} s. Allow more time, or give fewer texts.`;
  return new TimeoutError(message);
}
