/** `setTimeout` fires at once for a longer time than this. */
const longestMs = 2 ** 31 - 1;

/** Calls `run` once after `ms` milliseconds, however many they are; never for infinity. Returns what calls it off. */
export function startTimer(ms: number, run: () => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  function wait(left: number): void {
    timer = left > longestMs ? setTimeout(wait, longestMs, left - longestMs) : setTimeout(run, left);
  }
  if (ms !== Number.POSITIVE_INFINITY) wait(ms);
  return () => clearTimeout(timer);
}
