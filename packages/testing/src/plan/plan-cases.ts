import type { AgentDefinition, MetricConfig } from "@bridle/agent";
import { passes } from "@bridle/metrics";
import { metricsOf, type TurnConfig, turnsOf } from "../checks/case-config.ts";
import type { PlannedMetric } from "../metrics/planned-metric.ts";
import type { NamedCase } from "./choose-cases.ts";

/** One input of a case, ready to run. */
export interface PlannedTurn {
  /** From 1. */
  readonly number: number;
  readonly config: TurnConfig;
  readonly metrics: readonly PlannedMetric[];
}

export interface PlannedCase {
  readonly name: string;
  readonly turns: readonly PlannedTurn[];
  /** Whether its turns are runs of one session. */
  readonly isConversation: boolean;
  /** Whether a turn has expected tools or a metric that can fail. `idle`: there are only metrics that every score passes. */
  readonly checks: "some" | "idle" | "none";
}

/** Cases with their metrics. The metrics of one list are made once for all cases that use it. */
export function planCases(
  { config }: Pick<AgentDefinition, "config">,
  cases: readonly NamedCase[],
  plan: (configs: readonly MetricConfig[]) => readonly PlannedMetric[],
): PlannedCase[] {
  const planned = new Map<readonly MetricConfig[], readonly PlannedMetric[]>();
  const metricsFor = (configs: readonly MetricConfig[]) => {
    const metrics = planned.get(configs) ?? plan(configs);
    planned.set(configs, metrics);
    return metrics;
  };
  return cases.map(({ name, config: each }) => {
    const turns = turnsOf(each).map((turn, index) => ({
      number: index + 1,
      config: turn,
      metrics: metricsFor(metricsOf(config, each, turn)),
    }));
    return { name, turns, isConversation: each.turns !== undefined, checks: checksOf(turns) };
  });
}

function checksOf(turns: readonly PlannedTurn[]): PlannedCase["checks"] {
  const metrics = turns.flatMap((turn) => turn.metrics);
  if (metrics.some(canFail) || turns.some(({ config }) => (config.expected_tools ?? []).length > 0)) return "some";
  return metrics.length > 0 ? "idle" : "none";
}

/** The worst score passes a threshold of 0. */
function canFail({ threshold, passes: direction }: PlannedMetric): boolean {
  return direction === "at-most" || !passes(0, threshold, direction);
}
