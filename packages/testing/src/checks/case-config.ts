import type { AgentConfig, MetricConfig } from "@bridle/agent";

/** A test case in an agent's file. */
export type CaseConfig = NonNullable<AgentConfig["test_cases"]>[number];

/** One input of a case, with its expectations. */
export type TurnConfig = NonNullable<CaseConfig["turns"]>[number];

export type ExpectedToolConfig = Exclude<NonNullable<TurnConfig["expected_tools"]>, "none">[number];
export type FileInput = NonNullable<TurnConfig["files"]>[number];

/** The turns of a case. A case with a single input is its own only turn. */
export function turnsOf({ input, turns, name: _name, ...rest }: CaseConfig): readonly TurnConfig[] {
  if (turns !== undefined) return turns;
  return input === undefined ? [] : [{ ...rest, input }];
}

/** The metrics of a turn: its own list, else that of its case, else that of the agent; none if it says `no_checks`. */
export function metricsOf(
  config: Pick<AgentConfig, "evaluations">,
  ofCase: CaseConfig,
  turn: TurnConfig,
): readonly MetricConfig[] {
  if (turn.no_checks) return [];
  return turn.evaluations ?? ofCase.evaluations ?? config.evaluations?.metrics ?? [];
}
