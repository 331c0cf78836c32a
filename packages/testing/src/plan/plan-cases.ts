import { type AgentDefinition, type MetricConfig, metricsOf, turnsOf } from "@bridle/agent";
import { forbidsOthers, passes } from "@bridle/metrics";
import type { TurnConfig } from "../checks/case-config.ts";
import type { PlannedMetric } from "../result/planned-metric.ts";
import type { NamedCase } from "./choose-cases.ts";

/** One input of a case, ready to run. */
export interface PlannedTurn {
  /** The number of the turn, from 1. */
  readonly number: number;
  readonly config: TurnConfig;
  readonly metrics: readonly PlannedMetric[];
  readonly checks: TurnChecks;
}

/** Whether an answer can fail. `idle`: every score passes all metrics. `waived`: the file declares that nothing is checked. */
type TurnChecks = "some" | "idle" | "none" | "waived";

export interface PlannedCase {
  readonly name: string;
  readonly turns: readonly PlannedTurn[];
  /** Whether the turns are runs of one session. */
  readonly isConversation: boolean;
  /** Whether any of the turns has checks. */
  readonly checks: Exclude<TurnChecks, "waived">;
}

/** Plans cases with their metrics. The metrics of a list are created once for all cases that use the list. */
export function planCases(
  { config }: Pick<AgentDefinition, "config">,
  cases: readonly NamedCase[],
  plan: (configs: readonly MetricConfig[]) => readonly PlannedMetric[],
  ofProgram: (turn: TurnConfig) => readonly PlannedMetric[] = () => [],
): PlannedCase[] {
  const planned = new Map<readonly MetricConfig[], readonly PlannedMetric[]>();
  const metricsFor = (configs: readonly MetricConfig[]) => {
    const metrics = planned.get(configs) ?? plan(configs);
    planned.set(configs, metrics);
    return metrics;
  };
  return cases.map(({ name, config: each }) => {
    const turns = turnsOf(each).map((turn, index) => {
      const metrics = [...metricsFor(metricsOf(config, each, turn)), ...ofProgram(turn)];
      return { number: index + 1, config: turn, metrics, checks: turnChecks(turn, metrics) };
    });
    return { name, turns, isConversation: each.turns !== undefined, checks: checksOf(turns) };
  });
}

function checksOf(turns: readonly PlannedTurn[]): PlannedCase["checks"] {
  if (turns.some(({ checks }) => checks === "some")) return "some";
  return turns.some(({ checks }) => checks === "idle") ? "idle" : "none";
}

function turnChecks(turn: TurnConfig, metrics: readonly PlannedMetric[]): TurnChecks {
  if (metrics.some(canFail) || expectsCalls(turn)) return "some";
  if (turn.no_checks) return "waived";
  return metrics.length > 0 ? "idle" : "none";
}

/** Whether calls are checked. An empty list only checks calls if it forbids other calls. */
function expectsCalls({ expected_tools: tools = [], expected_tools_mode: mode = "superset" }: TurnConfig): boolean {
  return tools === "none" || tools.length > 0 || forbidsOthers(mode);
}

/** Whether a score can fail the metric. Even the worst score passes a threshold of 0. */
function canFail({ threshold, passes: direction }: PlannedMetric): boolean {
  return direction === "at-most" || !passes(0, threshold, direction);
}
