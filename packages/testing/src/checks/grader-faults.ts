/**
 * Which grader an error comes from that reaches the process instead of a call: what runs for a grader, and what it starts,
 * carries its mark, as Node.js 24 keeps it through timers, ticks and rejections that nobody awaits.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { setImmediate } from "node:timers/promises";

interface Grading {
  /** Nobody waits for it any more. */
  isOver: boolean;
  fail(error: unknown): void;
}

const running = new AsyncLocalStorage<Grading>();

/**
 * Does what a grader does. Rejects also with what is given to `failGrader` meanwhile, up to a moment after it has
 * answered: then rejections are told that nobody awaits.
 */
export async function asGrader<T>(work: () => Promise<T>): Promise<T> {
  const failed = Promise.withResolvers<never>();
  const grading: Grading = { isOver: false, fail: failed.reject };
  const answer = running.run(grading, work);
  try {
    const answered = await Promise.race([answer, failed.promise]);
    await Promise.race([setImmediate(), failed.promise]);
    return answered;
  } finally {
    grading.isOver = true;
  }
}

/**
 * Gives the grader from whose code this is called an error that nobody caught, or a call of `process.exit()`: its metric
 * has no score then. `false` where it comes from elsewhere, or from a grader that has ended.
 */
export function failGrader(error: unknown): boolean {
  const grading = running.getStore();
  if (grading === undefined || grading.isOver) return false;
  grading.fail(error);
  return true;
}
