/**
 * Finds the grader that caused an error outside of a call, such as a rejection that nothing awaits. Node.js 24 keeps the
 * context of a grader through its timers, ticks and promises.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { setImmediate } from "node:timers/promises";

interface GraderRun {
  /** Its result is no longer awaited. */
  isOver: boolean;
  fail(error: unknown): void;
}

const running = new AsyncLocalStorage<GraderRun>();

/**
 * Runs the work of a grader. Rejects also with an error that `failGrader` receives meanwhile, or right after the result: only
 * then does Node.js report unhandled rejections.
 */
export async function runIsolated<T>(work: () => Promise<T>): Promise<T> {
  const failed = Promise.withResolvers<never>();
  const run: GraderRun = { isOver: false, fail: failed.reject };
  const result = running.run(run, work);
  try {
    const value = await Promise.race([result, failed.promise]);
    await Promise.race([setImmediate(), failed.promise]);
    return value;
  } finally {
    run.isOver = true;
  }
}

/**
 * Fails the grader whose code calls this, for an uncaught error or a call of `process.exit()`: its metric has no score.
 * Returns `false` if no running grader is the cause.
 */
export function failGrader(error: unknown): boolean {
  const run = running.getStore();
  if (run === undefined || run.isOver) return false;
  run.fail(error);
  return true;
}
