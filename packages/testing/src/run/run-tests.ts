import { rmSync } from "node:fs";
import { join } from "node:path";
import type { AgentDefinition } from "@bridle/agent";
import { isBridleError, StoppedError } from "@bridle/protocol";
import { createTestLog, type TestLog } from "../log/test-log.ts";
import { awaitLateErrors } from "../metrics/isolate-grader.ts";
import { type Prepared, prepare } from "../plan/prepare.ts";
import { checkTestsOptions, type ExtendedTestsOptions, type RunTestsOptions } from "../plan/run-tests-options.ts";
import type { TestRun } from "../result/test-run.ts";
import { openTestContext, type TestContext } from "./open-test-context.ts";
import { performTrials } from "./perform-trials.ts";
import { reportWaiting } from "./report-waiting.ts";

/**
 * Runs the test cases of an agent. Stores the result of each trial when it ends, and resolves with all results. If the tests stop early,
 * `stop` contains the reason. Stored files, progress events and the result contain no credentials.
 *
 * Rejects before the first case runs, without leaving results: with InvalidRequestError for unknown cases and invalid numbers, with
 * ConfigError for an invalid file, and with StoppedError if the signal is already aborted. Rejects later with StoreError if results cannot
 * be written; stored results are kept.
 *
 * @example
 * const definition = await loadAgent("agent.yaml", { environment: process.env });
 * const run = await runTests(definition, { parallel: 8, trials: 3 });
 * console.log(run.summary.passRate);
 */
export function runTests(definition: AgentDefinition, options: RunTestsOptions = {}): Promise<TestRun> {
  return runExtendedTests(definition, options);
}

/** Runs tests like `runTests`, with the program's own metrics. */
export async function runExtendedTests(definition: AgentDefinition, options: ExtendedTestsOptions): Promise<TestRun> {
  checkTestsOptions(options);
  const prepared = await prepare(definition, options);
  let log = prepared.earlier?.log;
  try {
    const waiting = reportWaiting((progress) => options.onProgress?.(progress));
    const context = await open(prepared.definition, prepared, { id: () => log?.id ?? "", onEvent: waiting });
    try {
      log ??= createTestLog({ folder: prepared.folder, plan: prepared.plan });
      const run = await performTrials(prepared, context, log);
      await awaitLateErrors();
      return run;
    } catch (error) {
      if (log !== undefined && prepared.earlier === undefined) leaveNothing(log, prepared);
      throw error;
    } finally {
      await context.close();
    }
  } finally {
    log?.close();
  }
}

/** Removes the file of an invocation that failed before its first result. */
function leaveNothing(log: TestLog, { folder }: Prepared): void {
  const isEmpty = log.run().cases.every(({ trials }) => trials.length === 0);
  if (isEmpty) rmSync(join(folder, `${log.id}.jsonl`), { force: true });
}

async function open(
  definition: AgentDefinition,
  prepared: Prepared,
  parts: Parameters<typeof openTestContext>[2],
): Promise<TestContext> {
  const { signal } = prepared.options;
  const context = await openTestContext(definition, prepared, parts).catch((error: unknown) => {
    throw signal?.aborted && !isBridleError(error) ? stoppedEarly(error) : error;
  });
  if (!signal?.aborted) return context;
  await context.close();
  throw stoppedEarly();
}

function stoppedEarly(cause?: unknown): StoppedError {
  return new StoppedError("The tests were stopped before the first case. Nothing was run.", { cause });
}
