import { rmSync } from "node:fs";
import { join } from "node:path";
import type { AgentDefinition } from "@bridle/agent";
import { isBridleError, StoppedError } from "@bridle/protocol";
import { createTestLog, type TestLog } from "../log/test-log.ts";
import { type Prepared, prepare } from "../plan/prepare.ts";
import type { TestRun } from "../result/test-run.ts";
import { openStage, type TestContext } from "./open-stage.ts";
import { performTrials } from "./perform-trials.ts";
import type { RunTestsOptions } from "./run-tests-options.ts";
import { tellWaiting } from "./tell-waiting.ts";

/**
 * Runs the test cases of an agent, keeps what comes of each trial as soon as it has ended, and resolves with all of it,
 * also where it was stopped on its way: `stop` says why. Nothing of what it writes, tells or returns holds a credential.
 *
 * Rejects before the first case runs, and leaves no results behind, with an InvalidRequestError for cases that are not
 * there and figures that make no sense, with a ConfigError for what is wrong in a file, and with a StoppedError where the
 * signal came so early. A StoreError tells later on that results cannot be written; what had been written is kept.
 *
 * @example
 * const definition = await loadAgent("agent.yaml", { environment: process.env });
 * const run = await runTests(definition, { parallel: 8, trials: 3 });
 * console.log(run.summary.passRate);
 */
export async function runTests(definition: AgentDefinition, options: RunTestsOptions = {}): Promise<TestRun> {
  const prepared = await prepare(definition, options);
  let log = prepared.earlier?.log;
  try {
    const waiting = tellWaiting((progress) => options.onProgress?.(progress));
    const stage = await open(definition, prepared, { id: () => log?.id ?? "", onEvent: waiting });
    try {
      log ??= createTestLog({ folder: prepared.folder, plan: prepared.plan });
      return await performTrials(prepared, stage, log);
    } catch (error) {
      if (log !== undefined && prepared.earlier === undefined) leaveNothing(log, prepared);
      throw error;
    } finally {
      await stage.close();
    }
  } finally {
    log?.close();
  }
}

/** What failed before anything had ended has no results. */
function leaveNothing(log: TestLog, { folder }: Prepared): void {
  const isEmpty = log.run().cases.every(({ trials }) => trials.length === 0);
  if (isEmpty) rmSync(join(folder, `${log.id}.jsonl`), { force: true });
}

async function open(
  definition: AgentDefinition,
  prepared: Prepared,
  parts: Parameters<typeof openStage>[2],
): Promise<TestContext> {
  const { signal } = prepared.options;
  const stage = await openStage(definition, prepared, parts).catch((error: unknown) => {
    throw signal?.aborted && !isBridleError(error) ? stoppedEarly(error) : error;
  });
  if (!signal?.aborted) return stage;
  await stage.close();
  throw stoppedEarly();
}

function stoppedEarly(cause?: unknown): StoppedError {
  return new StoppedError("The tests were stopped before the first one began. Nothing was run.", { cause });
}
