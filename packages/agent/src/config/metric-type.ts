/** Builds the schema of one metric `type` in an agent file from the definitions of its metrics. */

import { type MetricGroup, metricGroups, namesOf } from "@bridle/metrics";
import type { MetricDefinition } from "@bridle/protocol";
import { z } from "zod";
import { commonFields } from "./common-metric-fields.ts";
import { refused, share } from "./fields.ts";
import { judgeModel } from "./judge-model.ts";

/** Creates the schema of a mapping with the keys of all metrics of the type. A key that the chosen metric does not have is an error. */
export function metricTypeSchema(type: string, metrics: readonly MetricDefinition[]) {
  const group = metricGroups[type];
  const schema = z.strictObject({
    type: z.literal(type).describe(group?.description ?? metrics[0]?.description ?? ""),
    ...(group && { [group.key]: nameSchema(group, metrics) }),
    ...settingFields(metrics, group),
    ...commonFields,
    threshold: thresholdField(metrics),
    ...(metrics.some(({ kind }) => kind === "judged") && { model: judgeModel }),
    ...unsupportedFields(metrics, group),
  });
  if (group === undefined) return schema;
  return schema.check(({ value, issues }) => {
    const problem = (path: readonly PropertyKey[], message: string) =>
      issues.push({ code: "custom", input: value, path: [...path], message });
    checkMetric({ metrics, group, value, problem });
  });
}

function nameSchema({ replaced }: MetricGroup, metrics: readonly MetricDefinition[]) {
  const aliases = metrics.flatMap(({ name, aliases: more = [] }) => more.map((alias) => `${alias} is ${name}`));
  const note = aliases.length === 0 ? "" : ` ${aliases.join(", and ")}.`;
  return z
    .enum(metrics.flatMap(namesOf), {
      error: ({ input }) => {
        const remedy = typeof input === "string" && Object.hasOwn(replaced, input) ? replaced[input] : undefined;
        return remedy === undefined ? undefined : `is ${input}, which Bridle does not have. ${remedy}`;
      },
    })
    .describe(`The name of the metric.${note}`);
}

interface Setting {
  readonly metric: MetricDefinition;
  readonly schema: z.core.$ZodType;
}

function settingsByKey(metrics: readonly MetricDefinition[]): Map<string, Setting[]> {
  const settings = metrics.flatMap((metric) =>
    Object.entries(metric.settings).map(([key, schema]) => ({ key, metric, schema })),
  );
  return Map.groupBy(settings, ({ key }) => key);
}

/** Returns one field for each key. In a group, the description lists the metrics that read it, and the field may be omitted. */
function settingFields(metrics: readonly MetricDefinition[], group: MetricGroup | undefined): z.ZodRawShape {
  const fields = [...settingsByKey(metrics)].map(([key, readers]) => {
    const [first] = readers;
    const isShared = group === undefined || readers.length === metrics.length;
    const isSame = readers.every(({ schema }) => schema === first?.schema);
    if (isShared && isSame) return [key, first?.schema];
    const schema = isSame && first !== undefined ? z.clone(asType(first.schema)) : z.json();
    return [key, asType(schema).exactOptional().describe(describeReaders(readers))];
  });
  return Object.fromEntries(fields);
}

const asType = (schema: z.core.$ZodType) => schema as z.ZodType; // definitions use the full Zod, not its core

/** Describes who reads a key, such as `contains: The text.`. Readers with the same description are listed together. */
function describeReaders(readers: readonly Setting[]): string {
  const byText = Map.groupBy(readers, ({ schema }) => asType(schema).description ?? "");
  const inline = (text: string) => (byText.size === 1 ? text : text.replace(/\. Default: (.+)\.$/, " (default: $1)."));
  return [...byText]
    .map(([text, same]) => `${same.map(({ metric }) => metric.name).join(", ")}: ${inline(text)}`)
    .join(" ");
}

function thresholdField(metrics: readonly MetricDefinition[]) {
  const defaults = new Set(metrics.map(({ defaultThreshold }) => defaultThreshold));
  const [only] = defaults;
  if (defaults.size === 1 && only !== undefined) {
    return share(`The lowest score that passes. Default: ${only}.`).exactOptional();
  }
  const limits = metrics.filter(({ passes }) => passes === "at-most").map(({ name }) => name);
  const max = limits.length === 0 ? "" : ` For ${limits.join(", ")}: the highest.`;
  const text = `The lowest score that passes.${max} Default: the metric's own.`;
  return z.number().min(0).exactOptional().describe(text);
}

function unsupportedFields(metrics: readonly MetricDefinition[], group: MetricGroup | undefined): z.ZodRawShape {
  const remedies = Object.assign({}, group?.unsupported, ...metrics.map(({ unsupported }) => unsupported));
  return Object.fromEntries(Object.entries(remedies).map(([key, remedy]) => [key, refused(String(remedy))]));
}

interface Check {
  readonly metrics: readonly MetricDefinition[];
  readonly group: MetricGroup;
  readonly value: Readonly<Record<string, unknown>>;
  problem(path: readonly PropertyKey[], message: string): void;
}

/** Checks the settings of the metric that a mapping names. */
function checkMetric({ metrics, group, value, problem }: Check): void {
  const metric = metrics.find((each) => namesOf(each).includes(String(value[group.key])));
  if (metric === undefined) return;
  for (const [key, readers] of settingsByKey(metrics)) {
    if (value[key] === undefined) checkMissing(metric, key, problem);
    else if (Object.hasOwn(metric.settings, key)) checkSetting(metric, key, value[key], problem);
    else problem([key], `is not a setting of ${metric.name}: ${listReaders(readers)} it. Remove it.`);
  }
  checkThreshold(metric, value.threshold, problem);
}

function listReaders(readers: readonly Setting[]): string {
  return `${readers.map(({ metric }) => metric.name).join(", ")} ${readers.length === 1 ? "has" : "have"}`;
}

function checkMissing({ name, settings, remedies }: MetricDefinition, key: string, problem: Check["problem"]): void {
  const schema = settings[key];
  if (schema === undefined || asType(schema).safeParse(undefined).success || isOptional(schema)) return;
  problem([key], `is missing, and the metric ${name} needs it. ${remedies?.[key] ?? "Write it."}`);
}

function isOptional(schema: z.core.$ZodType): boolean {
  return schema._zod.optin === "optional";
}

function checkSetting({ settings }: MetricDefinition, key: string, value: unknown, problem: Check["problem"]): void {
  const schema = settings[key];
  const parsed = schema === undefined ? undefined : asType(schema).safeParse(value);
  for (const { path, message } of parsed?.error?.issues ?? []) problem([key, ...path], message);
}

function checkThreshold(metric: MetricDefinition, threshold: unknown, problem: Check["problem"]): void {
  const { name, unit, defaultThreshold, remedies } = metric;
  if (threshold === undefined && defaultThreshold === undefined) {
    problem(["threshold"], `is missing, and the metric ${name} needs it. ${remedies?.threshold ?? "Write it."}`);
  }
  if (unit === null && typeof threshold === "number" && threshold > 1) {
    problem(["threshold"], `is more than 1, but scores of ${name} are from 0 to 1. Write a share, such as 0.5.`);
  }
}
