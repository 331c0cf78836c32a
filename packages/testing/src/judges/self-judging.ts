import type { AgentDefinition, AgentSettings, MetricConfig } from "@bridle/agent";
import { modelForRole } from "@bridle/core";
import { findMetric } from "@bridle/metrics";
import { judgeRole } from "./expenses.ts";

/** Warns if a metric's judge is the model that wrote the answers, although no setting chose that model as the judge. */
export function warningsOfJudges(
  { config, file }: AgentDefinition,
  { models }: Pick<AgentSettings, "models">,
): string[] {
  const lists = [
    config.evaluations?.metrics,
    ...(config.test_cases ?? []).flatMap((each) => [
      each.evaluations,
      ...(each.turns ?? []).map((turn) => turn.evaluations),
    ]),
  ];
  const isUnbound = lists
    .flatMap((list) => list ?? [])
    .some((metric) => isJudged(metric) && metric.enabled !== false && !("model" in metric && metric.model));
  if (!isUnbound || config.evaluations?.model !== undefined || models.default === undefined) return [];
  if (modelForRole(models, judgeRole) !== models.default) return [];
  return [
    `The agent's own model judges its answers, because no judge is set, and models favour their own answers. Set evaluations.model in ${file}, or llm.models.judge in bridle.yaml.`,
  ];
}

function isJudged(metric: MetricConfig): boolean {
  return findMetric(metric).kind === "judged";
}
