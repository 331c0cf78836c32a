import { type MetricAnswer, planMetrics, queryMetrics } from "@bridle/app/metrics";
import { withProject } from "@bridle/app/project";
import { counted } from "@bridle/protocol";
import { z } from "zod";
import type { Cli } from "../../command/cli.ts";
import { defineCommand, type Flag } from "../../command/command.ts";
import { exitCodes } from "../../command/exit-codes.ts";
import { jsonFlag, projectFlags } from "../../command/project-flags.ts";
import { Interruption, reportInterrupt } from "../../terminal/interruption.ts";
import { createStderrLogger } from "../../terminal/logger.ts";
import { printJson, printSentence } from "../../terminal/print-sentence.ts";
import { stdoutPage } from "../../terminal/stdout-page.ts";
import { formatCsv, formatRows } from "../sql/format-rows.ts";
import { formatChart } from "./format-chart.ts";
import { formatInColumn, inFormats } from "./in-formats.ts";
import { readQuery } from "./read-query.ts";

const list = (flag: string, description: string, expected: string) =>
  ({ flag, description, value: z.array(z.string().min(1)), expected, isRepeated: true }) satisfies Flag;

export const queryCommand = defineCommand({
  description: `Compute measures and metrics of the models in context/models by dimensions. A query without a correct
answer is refused with the reason. The declared keys of the joins are first verified in the data.`,
  operand: { name: "measures", description: "measures and metrics, such as orders.revenue", isRepeated: true },
  flags: {
    by: list(
      "--by <dimensions>",
      "group by these dimensions; a time needs a grain: orders.placed:month; see below",
      "dimensions",
    ),
    where: list("--where <condition>", "filter rows before the aggregation: orders.status = 'paid'", "a condition"),
    segment: list("--segment <name>", "include only the rows of this segment", "a segment"),
    having: list("--having <condition>", "filter groups after the aggregation: orders.revenue > 100", "a condition"),
    order: list("--order <fields>", "order by these fields; a leading - means descending: --order=-revenue", "fields"),
    via: list("--via <joins>", "joins to use if there are several paths, as model.join", "joins"),
    limit: {
      flag: "--limit <n>",
      description: "maximum number of groups",
      value: z.coerce.number().int().min(0),
      expected: "a whole number",
    },
    limitPer: list("--limit-per <dimensions>", "apply the limit within each group of these dimensions", "dimensions"),
    ties: {
      flag: "--ties <rule>",
      description: "keep or cut groups tied with the last one (default: keep with --limit-per, otherwise cut)",
      value: z.enum(["keep", "cut"]),
    },
    spine: {
      flag: "--spine <days>",
      description: "the periods of the result: a range such as 2025-01-01..2025-12-31, or a time such as calendar.day",
      value: z.string().min(1),
      expected: "days or a time",
    },
    timezone: {
      flag: "--timezone <name>",
      description: "the time zone of periods, such as Europe/Berlin",
      value: z.string().min(1),
      expected: "a time zone",
    },
    weekStart: {
      flag: "--week-start <day>",
      description: "the first day of weeks (default: monday)",
      value: z.enum(["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]),
    },
    totals: { flag: "--totals", description: "also compute the measures over all rows", value: z.boolean() },
    fill: { flag: "--fill", description: "also show periods without rows", value: z.boolean() },
    empty: { flag: "--empty", description: "also show groups without rows", value: z.boolean() },
    cache: {
      flag: "--no-cache",
      description: "compute the result again, even if the data have not changed",
      value: z.boolean(),
    },
    sql: {
      flag: "--sql",
      description: "print the SQL without running it",
      value: z.boolean(),
      excludes: ["csv", "json"],
    },
    explain: {
      flag: "--explain",
      description: "explain in words how the result is computed, without running it",
      value: z.boolean(),
      excludes: ["csv", "json", "sql"],
    },
    chart: {
      flag: "--chart",
      description: "print a bar chart",
      value: z.boolean(),
      excludes: ["csv", "json", "sql", "explain"],
    },
    csv: { flag: "--csv", description: "print CSV", value: z.boolean(), excludes: ["json"] },
    json: jsonFlag,
    ...projectFlags,
  },
  examples: [
    "bridle query orders.revenue orders.count --by customers.country --totals",
    "bridle query orders.revenue --by orders.placed:month --fill --chart",
    "bridle query orders.revenue --by customers.country --order=-revenue --limit 5 --csv",
    "bridle query orders.count refunds.count --by 'orders.placed+refunds.paid:month as month'",
  ],
  notes: `Forms of --by; each can have a name, like a measure: "orders.revenue as income"
  customers.country                  a dimension
  orders.placed:month                periods: hour, day, week, month, quarter, year
  "day_of_week of orders.placed"     a part of a time, as a number: year, quarter,
                                     month, day, hour, day_of_week, day_of_year
  orders.placed+refunds.paid:month   one axis, with the date of each model; for
                                     one measure of a model: MEASURE=FIELD

Exit codes:
  0 answered, 1 refused or failed, 2 usage, 3 configuration or an invalid model,
  4 the warehouse refuses the credentials, 5 it cannot be reached,
  130 interrupted (143 by SIGTERM, 129 by SIGHUP)`,
  async run({ operands, flags }, cli) {
    const { projectDir, namespace, trust: _trust, envFile: _envFile, ...asked } = flags;
    const { cache, sql, explain, chart, csv, json, ...words } = asked;
    const query = readQuery(operands, words);
    const opened = await withProject({ projectDir, namespace }, cli);
    if (sql || explain) return printPlan(await planMetrics({ query }, opened), sql ?? false, cli);
    const interruption = new Interruption(cli);
    try {
      const answer = await queryMetrics(
        { query, noCache: cache === false, signal: interruption.signal, logger: createStderrLogger(cli.stderr) },
        opened,
      );
      printAnswer(answer, { chart, csv, json }, cli);
      return exitCodes.natural;
    } catch (error) {
      if (interruption.interrupt === undefined) throw error;
      return reportInterrupt("The query was", interruption.interrupt, cli);
    } finally {
      interruption.dispose();
    }
  },
});

type Plan = Awaited<ReturnType<typeof planMetrics>>;

function printPlan({ sql, totalsSql, explanation, assumptions, storedAt }: Plan, onlySql: boolean, cli: Cli): number {
  if (onlySql)
    cli.stdout.write([sql, totalsSql].flatMap((each) => (each === undefined ? [] : [`${each};\n`])).join("\n"));
  else
    for (const sentence of [...explanation, ...assumptions, cacheSentence(storedAt)])
      printSentence(sentence, cli.stdout);
  return exitCodes.natural;
}

function cacheSentence(storedAt: string | undefined): string {
  if (storedAt === undefined) return "No answer is stored, so the statement will run.";
  return `An answer was stored at ${storedAt}. It is used if the tables have not changed since.`;
}

interface Form {
  readonly chart: boolean | undefined;
  readonly csv: boolean | undefined;
  readonly json: boolean | undefined;
}

function printAnswer(answer: MetricAnswer, { chart, csv, json }: Form, cli: Cli): void {
  const page = stdoutPage(cli);
  if (json) printJson(answer, cli.stdout);
  else if (csv) cli.stdout.write(formatCsv(answer, cli.stdout));
  else if (chart) cli.stdout.write(formatChart(answer, page));
  else cli.stdout.write(formatRows(inFormats(answer), page));
  if (json) return;
  if (answer.totals !== null && !csv) cli.stdout.write(`\n${formatTotals(answer)}\n`);
  for (const note of notesOf(answer)) printSentence(note, cli.stderr);
}

function formatTotals({ columns, totals }: MetricAnswer): string {
  const measures = columns.filter(({ kind }) => kind === "measure");
  return `total: ${measures.map((column, at) => `${column.name} ${formatInColumn(totals?.[at] ?? null, column)}`).join(", ")}`;
}

function notesOf({ assumptions, truncated, filtered, rows }: MetricAnswer): readonly string[] {
  return [
    ...assumptions.map((sentence) => `Assumed: ${sentence}`),
    ...(truncated === null ? [] : [`The result is cut after ${counted(rows.length, "row")}. Use fewer groups.`]),
    ...(filtered.length > 0 ? [`A row filter of the connection hides rows of ${filtered.join(", ")}.`] : []),
  ];
}
