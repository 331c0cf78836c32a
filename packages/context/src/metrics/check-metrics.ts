import { isBridleError } from "@bridle/protocol";
import type { KeyViolation, MetricQuery } from "@bridle/semantic";
import type { StructuredValue } from "@bridle/warehouse";
import type { MetricCaller, MetricQueries } from "./metric-queries.ts";
import type { MetricOutcome } from "./metric-query-types.ts";
import type { PlacedModel } from "./model-table.ts";

/** A measure or metric that was run over all rows. */
export interface CheckedMeasure {
  /** `model.name` */
  readonly name: string;
  readonly connection: string;
  readonly value?: StructuredValue | undefined;
  /** Why there is no value, as one sentence. */
  readonly problem?: string | undefined;
}

export interface CheckedMetrics {
  readonly measures: readonly CheckedMeasure[];
  /** Declared keys that the data contradict, as sentences. */
  readonly violations: readonly string[];
}

/** Checks declared keys by counting, and runs each measure and metric. A metric over time is run for periods of its default time. */
export async function checkMetrics(
  queries: MetricQueries,
  caller: MetricCaller,
  signal?: AbortSignal,
): Promise<CheckedMetrics> {
  await queries.runStatements(caller, { signal });
  const models = queries.usable();
  const violations: string[] = [];
  for (const connection of new Set(models.map((model) => model.connection))) {
    const found = await queries.findViolations(connection, caller, signal);
    violations.push(...found.map(describeViolation));
  }
  return { measures: await runMeasures(models, queries, caller, signal), violations };
}

/** Runs all measures and metrics of models, or only those with the given full names. */
export async function runMeasures(
  models: readonly PlacedModel[],
  queries: MetricQueries,
  caller: MetricCaller,
  signal: AbortSignal | undefined,
  isWanted: (name: string) => boolean = () => true,
): Promise<readonly CheckedMeasure[]> {
  const measures: CheckedMeasure[] = [];
  for (const each of models) {
    for (const { name } of [...(each.model.measures ?? []), ...(each.model.metrics ?? [])]) {
      const whole = `${each.model.name}.${name}`;
      if (isWanted(whole)) measures.push(await runMeasure(whole, each, queries, caller, signal));
    }
  }
  return measures;
}

async function runMeasure(
  name: string,
  { model, connection }: PlacedModel,
  queries: MetricQueries,
  caller: MetricCaller,
  signal: AbortSignal | undefined,
): Promise<CheckedMeasure> {
  try {
    const outcome = await runByPeriods(name, model, (query) => queries.run(query, caller, { signal }));
    if (outcome.kind === "refused") return { name, connection, problem: outcome.refusal.message };
    if (outcome.kind === "planned") return { name, connection };
    return { name, connection, value: outcome.rows.at(-1)?.at(-1) ?? null };
  } catch (error) {
    if (!isBridleError(error) || error.code === "stopped") throw error;
    return { name, connection, problem: error.message };
  }
}

const grains = ["year", "quarter", "month", "week", "day", "hour"] as const;

/**
 * Runs a measure over all rows. If the measure needs periods, uses the largest possible periods of the default time that are not larger
 * than the measure's window. A larger period would end after the last data.
 */
async function runByPeriods(
  name: string,
  model: PlacedModel["model"],
  run: (query: MetricQuery) => Promise<MetricOutcome>,
): Promise<MetricOutcome> {
  let outcome = await run({ measures: [name] });
  const needsPeriods = (at: MetricOutcome) => at.kind === "refused" && at.refusal.reason === "invalid_query";
  const { default_time: time } = model;
  if (time === undefined) return outcome;
  const largest = windowOf(name, model)?.grain ?? "year";
  for (const grain of grains.slice(grains.indexOf(largest))) {
    if (!needsPeriods(outcome)) break;
    outcome = await run({ measures: [name], dimensions: [{ field: `${model.name}.${time}`, grain }] });
  }
  return outcome;
}

function windowOf(name: string, { name: model, measures = [], metrics = [] }: PlacedModel["model"]) {
  const entry = [...measures, ...metrics].find((each) => `${model}.${each.name}` === name);
  return entry && "window" in entry ? entry.window : undefined;
}

export function describeViolation({ model, join, keys }: KeyViolation): string {
  const many = `${keys} ${keys === 1 ? "key occurs" : "keys occur"} more than once`;
  return join === undefined
    ? `The primary key of ${model} is not unique: ${many}, or with NULL.`
    : `The join ${model}.${join} declares one row, but ${many}. Correct its relationship or its condition.`;
}
