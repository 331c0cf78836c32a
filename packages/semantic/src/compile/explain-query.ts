import type { MetricFilter } from "../models/model-schema.ts";
import type { PlanContext } from "../plan/plan-context.ts";

/** Explains the plan, one sentence for each step. */
export function explainQuery({ query, keys, words, zone, weekStart }: PlanContext): readonly string[] {
  const groups = keys.map(({ alias, field, grain }) => `${field ?? alias}${grain ? ` by ${grain}` : ""}`);
  const sentences = [
    ...new Set(words),
    groups.length === 0
      ? "The result is one row over all rows."
      : `The result has a row for each group of ${groups.join(", ")}.`,
    ...(query.filters ?? []).map((filter) => `Rows count only if ${describeFilter(filter)}.`),
    ...(query.having ?? []).map((filter) => `Groups are shown only if ${describeFilter(filter)}.`),
  ];
  if (zone !== undefined) sentences.push(`Times are the wall clock of ${zone}.`);
  if (weekStart !== 0 && keys.some(({ grain }) => grain === "week"))
    sentences.push(`Weeks start on ${query.weekStart}.`);
  if (query.spine) sentences.push(spineSentence(query.spine, query.omitEmpty === true && !query.fillMissing));
  else if (query.fillMissing) sentences.push("Periods without rows between the first and the last are in the result.");
  if (query.limit !== undefined) sentences.push(limitSentence(query.limit, query.limitPer));
  return sentences;
}

function spineSentence(spine: NonNullable<PlanContext["query"]["spine"]>, omitsEmpty: boolean): string {
  const periods = "field" in spine ? `periods of ${spine.field}` : `periods from ${spine.from} to ${spine.to}`;
  return omitsEmpty ? `The ${periods} that have rows are in the result.` : `All ${periods} are in the result.`;
}

function limitSentence(limit: number, per: readonly string[] | undefined): string {
  return per
    ? `The first ${limit} groups of each ${per.join(", ")} are shown, with those that are equal to the last.`
    : `At most ${limit} groups are shown.`;
}

function describeFilter(filter: MetricFilter): string {
  if (typeof filter === "string") return filter;
  if ("or" in filter) return filter.or.map(describeFilter).join(" or ");
  if ("and" in filter) return filter.and.map(describeFilter).join(" and ");
  if ("segment" in filter) return `the segment ${filter.segment} holds`;
  const { field, op, value } = filter;
  const shown = Array.isArray(value) ? value.map(String).join(", ") : value === undefined ? "" : String(value);
  return `${field} ${op} ${shown}`.trim();
}
