/**
 * Finds the grader that caused an error outside of a call, such as an unhandled rejection. Node.js 24 keeps the context of a grader through
 * its timers, ticks and promises.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { setImmediate, setTimeout } from "node:timers/promises";
import { getErrorMessage } from "@bridle/protocol";

interface GraderRun {
  /** The name in messages, such as `grade of graders.ts`. */
  readonly name: string;
  /** Whether the grader's result is no longer awaited. */
  isOver: boolean;
  fail(error: unknown): void;
}

const running = new AsyncLocalStorage<GraderRun>();

/** Whether any grader ran in this process, so that its code may still cause errors. */
let hasRun = false;

/**
 * Runs the work of a grader. Also rejects with an error that `failGrader` receives during this work or right after it, when Node.js reports
 * unhandled rejections.
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
 * Fails the grader in whose context this is called, for an uncaught error or a call to `process.exit()`: the grader's metric then has no
 * score. Without such a grader, `pass` receives the error. An error that a grader caused after its result names the grader.
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

/** For how many milliseconds after the last result an error of a grader is still detected. */
const graceMs = 200;

/** Waits a moment if graders ran, because an error that a grader left behind would be lost when the tests end. */
export async function awaitLateErrors(): Promise<void> {
  if (hasRun) await setTimeout(graceMs);
}
