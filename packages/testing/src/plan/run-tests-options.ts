import { type OpenAgentOptions, openAgentShape } from "@bridle/agent";
import { given, InvalidRequestError, type OptionsShape, optionsCheck } from "@bridle/protocol";
import type { TurnConfig } from "../checks/case-config.ts";
import type { PlannedMetric } from "../result/planned-metric.ts";
import type { TestProgress } from "../result/test-progress.ts";

/**
 * The options of `openAgent` and of test runs. `limits.onUsageLimit` decides whether a used-up window pauses or stops the tests. With
 * `unattended`, the default is to wait.
 */
export interface RunTestsOptions extends Omit<OpenAgentOptions, "signal" | "eventLog" | "approve"> {
  /** The names of the cases to run. Default: all. */
  cases?: readonly string[];
  /** How many trials run at a time. Default: `execution.parallel_test_cases`, or else 4, and with `rehearse` at most one per processor. */
  parallel?: number;
  /** How often each case runs; at most 1000. Default: 1. */
  trials?: number;
  /** Whether to stop the tests after the first trial that does not pass. Default: false. */
  failFast?: boolean;
  /** Whether destructive tools and the host's own tools that write may run. Default: they are denied. */
  allowSideEffects?: boolean;
  /** Whether to evaluate metrics that a model judges. Default: true. If false, a warning counts the omitted metrics. */
  judges?: boolean;
  /** An unfinished invocation to resume: its id, or `newest`. Finished trials do not run again. */
  resume?: string;
  /** Aborts the running trials. The results of finished trials are kept. */
  signal?: AbortSignal;
  /** Contract: returns quickly, and does not throw. */
  onProgress?(progress: TestProgress): void;
}

/** Additional options for programs that test an agent. */
export interface ExtendedTestsOptions extends RunTestsOptions {
  /**
   * Returns metrics of the program for a turn, in addition to those in the agent file.
   *
   * Contract: returns the same metrics for the same turn, with different names.
   */
  metricsOf?(turn: TurnConfig): readonly PlannedMetric[];
  /**
   * Hashes, by name, of everything apart from the agent and its files that influences the results. A resumption runs all cases again if one
   * differs.
   */
  contents?: Readonly<Record<string, string>>;
}

const { eventLog: _log, approve: _approve, ...ofAgent } = openAgentShape;

/** The schemas of the options, for functions that accept some of them. */
export const testsShape: OptionsShape<ExtendedTestsOptions> = {
  ...ofAgent,
  cases: given.list.optional(),
  parallel: given.number.optional(),
  trials: given.number.optional(),
  failFast: given.flag.optional(),
  allowSideEffects: given.flag.optional(),
  judges: given.flag.optional(),
  resume: given.text.optional(),
  onProgress: given.callback.optional(),
  metricsOf: given.callback.optional(),
  contents: given.object.optional(),
};

export const checkTestsOptions = optionsCheck("runTests", testsShape, { error: InvalidRequestError });
