import {
  type AnyTool,
  defineTool,
  isBridleError,
  omitUndefined,
  type ToolContext,
  type ToolOutput,
} from "@bridle/protocol";
import { metricQuerySchema } from "@bridle/semantic";
import { z } from "zod";
import type { ContextMetrics } from "../metrics/context-metrics.ts";
import type { DescribedModel } from "../metrics/describe-models.ts";
import type { MetricCaller } from "../metrics/metric-queries.ts";
import type { AnsweredMetrics, MetricPlan, RefusedMetrics } from "../metrics/metric-query-types.ts";
import { asLine, type FencedReply } from "../replies/reply.ts";
import { addRows } from "../replies/reply-rows.ts";
import { reportWhile } from "../replies/report-while.ts";
import { type QueryMetricsOutput, queryMetricsName } from "./sources-of-calls.ts";
import type { ToolBase } from "./tool-base.ts";

const name = z.string().trim().min(1);
const { measures, dimensions, orderBy, limit, limitPer, ties, totals } = metricQuerySchema.shape;
const { fillMissing, spine, includeEmpty, timezone, weekStart, via } = metricQuerySchema.shape;

const input = z.object({
  measures: measures.min(1).optional().describe("As model.name. Leave them out to list what there is."),
  dimensions: dimensions.describe("As model.name. A time needs a grain or a part. Two of one name need as."),
  filters: z.array(name).optional().describe("Conditions over fields, such as orders.status = 'paid'."),
  segments: z.array(name).optional().describe("Segments that hold, as model.name."),
  having: z.array(name).optional().describe("Conditions over measures, after the aggregation."),
  orderBy,
  limit,
  limitPer,
  ties,
  totals,
  fillMissing,
  spine,
  includeEmpty,
  timezone,
  weekStart,
  via,
  search: name.optional().describe("Without measures: list only what has this word."),
  from: z.int().min(0).optional().describe("Without measures: the line to continue with."),
  explain: z.boolean().optional().describe("Also return the SQL and the plan in words. Default: false."),
});

/** Answers questions with metrics that users have defined. */
export function queryMetricsTool(base: ToolBase, metrics: ContextMetrics): AnyTool {
  return defineTool({
    name: queryMetricsName,
    description:
      "Compute metrics that people have defined, by dimensions. Prefer it to run_sql if a metric fits: its numbers are right, or it refuses with the reason. Without measures it lists the metrics and dimensions.",
    input,
    annotations: { readOnly: true, idempotent: true },
    execute: (given, context) => run(base, metrics, given, context),
  });
}

async function run(
  base: ToolBase,
  metrics: ContextMetrics,
  { measures: wanted, filters = [], segments = [], search, from = 0, explain = false, ...rest }: z.output<typeof input>,
  { signal, progress }: Pick<ToolContext, "signal" | "progress">,
): Promise<ToolOutput> {
  const caller: MetricCaller = {
    isVisible: base.scope.isVisible,
    scopeOf: (connection) => base.scope.forStatement(connection, base.notes()),
  };
  try {
    if (wanted === undefined) return listModels(base, metrics.list(caller), search, from);
    const conditions = [...filters, ...segments.map((segment) => ({ segment }))];
    const query = omitUndefined({ measures: wanted, filters: conditions, ...rest });
    const computing = metrics.query(query, caller, { signal, maxRows: 1000 });
    const outcome = await reportWhile(computing, progress, (seconds) => `The metrics are computed for ${seconds} s.`);
    if (outcome.kind === "answered") return formatAnswer(base, outcome, explain);
    return outcome.kind === "refused" ? formatRefusal(base, outcome) : { markdown: outcome.sql };
  } catch (error) {
    if (!isBridleError(error) || error.code === "stopped") throw error;
    const reply = base.startReply();
    reply.addPart(asLine(error.message, 1200));
    reply.end("The metrics could not be computed.");
    return { markdown: reply.toString(), structured: { problem: error.code }, isError: true };
  }
}

function listModels(
  base: ToolBase,
  models: readonly DescribedModel[],
  search: string | undefined,
  from: number,
): ToolOutput {
  const word = search?.toLowerCase() ?? "";
  const lines = models.flatMap(linesOf).filter((line) => line.toLowerCase().includes(word));
  const reply = base.startReply();
  let shown = 0;
  for (const line of lines.slice(from)) {
    if (!(shown === 0 ? reply.addPart(line) : reply.add(line))) break;
    shown += 1;
  }
  const next = from + shown;
  if (lines.length === 0) reply.end("No metric or dimension has this word. Leave the search out to list all.");
  else if (next < lines.length) reply.end(`${lines.length - next} more. Continue with from: ${next}, or search.`);
  return { markdown: reply.toString(), structured: { lines: lines.slice(from, next), total: lines.length } };
}

function linesOf({ name, description, measures: own, dimensions, segments }: DescribedModel): readonly string[] {
  const about = (text: string | undefined) => (text === undefined ? "" : `. ${asLine(text, 200)}`);
  return [
    `model ${name}${about(description)}`,
    ...own.map((each) => `- measure ${each.name}: ${asLine(each.formula, 200)}${about(each.description)}`),
    ...dimensions.map(
      (each) => `- dimension ${each.name}${each.type ? ` (${each.type})` : ""}${about(each.description)}`,
    ),
    ...segments.map((each) => `- segment ${each.name}${about(each.description)}`),
  ];
}

function formatAnswer(base: ToolBase, answer: AnsweredMetrics, explain: boolean): ToolOutput {
  const { connection, columns, rows, totals, truncated, filtered, assumptions, tables } = answer;
  const reply = base.startReply([connection]);
  for (const sentence of assumptions) reply.add(`assumption: ${asLine(sentence, 300)}`);
  for (const name of filtered) reply.add(`rows are left out by a rule of the connection: ${asLine(name, 150)}`);
  if (explain) addPlan(reply, answer);
  if (totals)
    reply.add(
      `totals: ${columns
        .filter(({ kind }) => kind === "measure")
        .map(({ name }, at) => `${asLine(name, 80)} ${String(totals[at])}`)
        .join(", ")}`,
    );
  const shown = addRows(reply, { columns, rows });
  reply.end(rows.length === 0 ? "There are no rows." : `${rows.length} ${rows.length === 1 ? "row" : "rows"}.`);
  if (shown < rows.length) reply.end(`Only ${shown} of them fit into this reply. Use a limit or fewer dimensions.`);
  if (truncated) reply.end("The result was cut, so there are more rows. Do not state totals from it.");
  reply.end("Name the metrics and the assumptions in your answer.");
  const plan = { cached: answer.isCached, sql: answer.sql, ...(explain && { explanation: answer.explanation }) };
  return {
    markdown: reply.toString(),
    structured: omitUndefined({
      connection,
      columns,
      rows,
      totals,
      truncated,
      tables,
      assumptions,
      ...plan,
    }) satisfies QueryMetricsOutput,
  };
}

function addPlan(reply: FencedReply, { explanation, sql }: MetricPlan): void {
  for (const sentence of explanation) reply.add(asLine(sentence, 300));
  reply.add(`SQL: ${asLine(sql, 3000)}`);
}

function formatRefusal(base: ToolBase, { refusal }: RefusedMetrics): ToolOutput {
  const reply = base.startReply();
  reply.addPart(asLine(refusal.message, 1200));
  for (const path of refusal.paths ?? []) reply.add(`path: ${asLine(path, 200)}`);
  reply.end("This query has no correct answer. Correct it, or explain why it has none.");
  const { reason: problem, nearest, paths } = refusal;
  return { markdown: reply.toString(), structured: omitUndefined({ problem, nearest, paths }), isError: true };
}
