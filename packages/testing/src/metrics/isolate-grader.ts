/**
 * Finds the grader that caused an error outside of a call, such as a rejection that nothing awaits. Node.js 24 keeps the
 * context of a grader through its timers, ticks and promises.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { setImmediate, setTimeout } from "node:timers/promises";
import { getErrorMessage } from "@bridle/protocol";

interface GraderRun {
  /** Such as `grade of graders.ts`. */
  readonly name: string;
  /** Its result is no longer awaited. */
  isOver: boolean;
  fail(error: unknown): void;
}

const running = new AsyncLocalStorage<GraderRun>();

/** Whether any grader ran in this process, so that its code may still fail. */
let hasRun = false;

/**
 * Runs the work of a grader. Also rejects with an error that `failGrader` receives meanwhile, or right after the result, because Node.js
 * reports unhandled rejections only then.
 */
export async function runIsolated<T>(name: string, work: () => Promise<T>): Promise<T> {
  hasRun = true;
  const failed = Promise.withResolvers<never>();
  const run: GraderRun = { name, isOver: false, fail: failed.reject };
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
 * Fails the grader that calls this, for an uncaught error or a call of `process.exit()`: its metric has no score. Otherwise `pass` receives
 * the error; if a grader caused it after its result, the error names the grader.
 */
export function failGrader(error: unknown, pass: (error: unknown) => void): void {
  const run = running.getStore();
  if (run !== undefined && !run.isOver) run.fail(error);
  else pass(run === undefined ? error : lateError(run, error));
}

function lateError({ name }: GraderRun, cause: unknown): Error {
  const message = `${name} failed after it had returned its result: ${getErrorMessage(cause)}. Await everything in it.`;
  return new Error(message, { cause });
}

/** Milliseconds after the last result during which an error of a grader still counts. */
const graceMs = 200;

/** Waits a moment if graders ran: an error that one of them left behind would be lost with the end of the tests. */
export async function awaitLateErrors(): Promise<void> {
  if (hasRun) await setTimeout(graceMs);
}
