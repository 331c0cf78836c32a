import type { MetricConfig } from "./metrics.ts";
import type { AgentConfig } from "./schema.ts";

type TestCaseConfig = NonNullable<AgentConfig["test_cases"]>[number];
type CaseTurnConfig = NonNullable<TestCaseConfig["turns"]>[number];

/** Returns the turns of a case. A case with a single input has one turn, which is the case itself. */
export function turnsOf({ input, turns, name: _name, ...rest }: TestCaseConfig): readonly CaseTurnConfig[] {
  if (turns !== undefined) return turns;
  return input === undefined ? [] : [{ ...rest, input }];
}

/** Returns the metrics of a turn: its own list, or else the list of its case, or else that of the agent; empty with `no_checks`. */
export function metricsOf(
  config: Pick<AgentConfig, "evaluations">,
  ofCase: TestCaseConfig,
  turn: CaseTurnConfig,
): readonly MetricConfig[] {
  if (turn.no_checks) return [];
  return turn.evaluations ?? ofCase.evaluations ?? config.evaluations?.metrics ?? [];
}
