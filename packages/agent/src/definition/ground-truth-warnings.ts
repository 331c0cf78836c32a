/** Warnings about ground truths that a metric cannot compare with. They are reported before any model is called. */
import { findMetric, settingsOf } from "@bridle/metrics";
import { metricsOf, turnsOf } from "../config/case-turns.ts";
import type { AgentConfig } from "../config/schema.ts";

interface GroundTruthWarning {
  /** The path of the ground truth, such as `test_cases.0.ground_truth`. */
  readonly field: string;
  readonly message: string;
}

/**
 * Returns a warning for each ground truth and each metric that cannot compare with it. `written`: references to the environment, by path.
 */
export function groundTruthWarnings(
  config: AgentConfig,
  written: Readonly<Record<string, string>>,
): GroundTruthWarning[] {
  return (config.test_cases ?? []).flatMap((each, index) =>
    turnsOf(each).flatMap((turn, at) => {
      const isTurn = each.turns !== undefined;
      const path = ["test_cases", index, ...(isTurn ? ["turns", at] : []), "ground_truth"].join(".");
      const subject = `${isTurn ? `turn ${at + 1} of ` : ""}the test case "${each.name ?? `case ${index + 1}`}"`;
      return truthsOf(turn.ground_truth, path).flatMap(({ field, truth }) => {
        const faults = metricsOf(config, each, turn).flatMap((metric) => faultOf(metric, truth));
        const shown = written[field] ?? JSON.stringify(truncate(truth));
        return [...new Set(faults)].map((fault) => ({
          field,
          message: `The ground truth ${shown} of ${subject} does not fit a metric: ${fault}`,
        }));
      });
    }),
  );
}

function truthsOf(given: string | readonly string[] | undefined, path: string) {
  if (typeof given === "string") return [{ field: path, truth: given }];
  return (given ?? []).map((truth, index) => ({ field: `${path}.${index}`, truth }));
}

const maxShown = 60;

function truncate(text: string): string {
  return text.length > maxShown ? `${text.slice(0, maxShown)}…` : text;
}

function faultOf(metric: ReturnType<typeof metricsOf>[number], truth: string): string[] {
  if (metric.enabled === false) return [];
  const definition = findMetric(metric);
  const fault = definition.groundTruthFault?.(truth, settingsOf(definition, metric));
  return fault === undefined ? [] : [`${definition.name} ${fault}`];
}
