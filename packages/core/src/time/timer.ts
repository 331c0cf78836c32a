/** `setTimeout` fires immediately if the time is longer than this. */
const maxMs = 2 ** 31 - 1;

/** Calls `run` once after any number of milliseconds; never for infinity. Returns a function that cancels the timer. */
export function startTimer(ms: number, run: () => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  function wait(left: number): void {
    timer = left > maxMs ? setTimeout(wait, maxMs, left - maxMs) : setTimeout(run, left);
  }
  if (ms !== Number.POSITIVE_INFINITY) wait(ms);
  return () => clearTimeout(timer);
}
