import type { AgentConfig } from "@bridle/agent";

/** A test case as an agent's file has it. */
export type CaseConfig = NonNullable<AgentConfig["test_cases"]>[number];

/** One input of a case, with what is expected of it. */
export type TurnConfig = NonNullable<CaseConfig["turns"]>[number];

export type MetricConfig = NonNullable<TurnConfig["evaluations"]>[number];
export type ExpectedToolConfig = NonNullable<TurnConfig["expected_tools"]>[number];
export type FileInput = NonNullable<TurnConfig["files"]>[number];

/** The turns of a case; one with a single input is its own only turn. */
export function turnsOf({ input, turns, name: _name, ...rest }: CaseConfig): readonly TurnConfig[] {
  if (turns !== undefined) return turns;
  return input === undefined ? [] : [{ ...rest, input }];
}

/** The metrics of a turn: its own, else those of its case, else the agent's. The nearest list replaces the others. */
export function metricsOf(
  config: Pick<AgentConfig, "evaluations">,
  ofCase: CaseConfig,
  turn: TurnConfig,
): readonly MetricConfig[] {
  return turn.evaluations ?? ofCase.evaluations ?? config.evaluations?.metrics ?? [];
}
