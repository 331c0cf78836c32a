import { forEachInParallel, type Redactor } from "@bridle/core";
import { isBridleError } from "@bridle/protocol";
import type { TestLog } from "../log/test-log.ts";
import type { PlannedCase } from "../plan/plan-cases.ts";
import type { Prepared } from "../plan/prepare.ts";
import type { TestRun } from "../result/test-run.ts";
import type { TrialResult } from "../result/trial-result.ts";
import { errorScope } from "./error-scope.ts";
import type { TestContext } from "./open-test-context.ts";
import { redactTrial } from "./redact-trial.ts";
import { runTrial } from "./run-trial.ts";
import { createStopping, type Stopping } from "./stopping.ts";

/** One trial of one case. */
interface Unit {
  readonly planned: PlannedCase;
  readonly trial: number;
  /** The stored name of the case. */
  readonly name: string;
}

/**
 * Runs every trial without a result, case by case in the order of the file, several at a time. All stored results and progress events pass
 * through this function, which removes credentials.
 */
export async function performTrials(prepared: Prepared, context: TestContext, log: TestLog): Promise<TestRun> {
  const { plan, redactor, options, earlier } = prepared;
  const tell = (progress: Parameters<NonNullable<typeof options.onProgress>>[0]) => options.onProgress?.(progress);
  const finished = earlier === undefined ? [] : finishedIn(earlier.run);
  const units = unitsOf(context.cases, plan.trials, redactor).filter((unit) => !isAmong(finished, unit));
  const warnings = [...(prepared.warnings ?? []), ...context.warnings].map((each) => redactor.text(each));
  tell({ type: "begun", id: log.id, plan: earlier?.run.plan ?? plan, finished, warnings });
  const stopping = createStopping(options.signal);
  let left = units.length;
  const run = async (unit: Unit) => {
    tell({ type: "trial.started", case: unit.name, trial: unit.trial });
    const found = await attempt(unit, { ...context, id: log.id, signal: stopping.signal }, stopping);
    if (found === undefined) return;
    const result = redactTrial(found, redactor);
    log.append({ type: "trial", result });
    left -= 1;
    tell({ type: "trial.finished", result });
    if (plan.failFast && result.outcome !== "passed") stopping.failFast(unit.name);
  };
  try {
    await forEachInParallel(units, { parallel: plan.parallel, isOver: () => stopping.stop !== undefined }, (unit) =>
      run(unit).catch((error: unknown) => {
        stopping.giveUp();
        throw error;
      }),
    );
  } finally {
    stopping.close();
  }
  if (units.length > 0 || log.run().state !== "finished") {
    const stop = left === 0 ? undefined : stopping.stop;
    log.append({ type: "ended", stop: stop === undefined ? null : { ...stop, message: redactor.text(stop.message) } });
  }
  const ended = log.run();
  tell({ type: "ended", run: ended });
  return ended;
}

/** Runs a trial. `undefined` if the trial is inconclusive and has to run again. */
async function attempt(
  { planned, trial }: Unit,
  context: Parameters<typeof runTrial>[2],
  stopping: Stopping,
): Promise<TrialResult | undefined> {
  try {
    return await runTrial(planned, trial, context);
  } catch (error) {
    if (context.signal.aborted) return undefined;
    if (!isBridleError(error) || errorScope(error) !== "invocation") throw error;
    stopping.holdBack(error);
    return undefined;
  }
}

function unitsOf(cases: readonly PlannedCase[], trials: number, redactor: Redactor): Unit[] {
  return cases.flatMap((planned) =>
    Array.from({ length: trials }, (_, index) => ({ planned, trial: index + 1, name: redactor.text(planned.name) })),
  );
}

/** Whether a trial passed or failed. A trial with a host failure runs again. */
function finishedIn({ cases }: TestRun): TrialResult[] {
  return cases.flatMap(({ trials }) => trials).filter(({ outcome }) => outcome !== "errored");
}

function isAmong(finished: readonly TrialResult[], { name, trial }: Unit): boolean {
  return finished.some((each) => each.case === name && each.trial === trial);
}
