/** Writes the tables in the metric pages: the list of metrics from their definitions, and worked examples from test data. */

import { namesOf } from "@bridle/metrics";
import type { MetricDefinition, MetricKind } from "@bridle/protocol";
import { z } from "zod";

const fileSchema = z.strictObject({
  metric: z.string(),
  examples: z
    .array(
      z.strictObject({
        title: z.string().min(1),
        /** The values that the metric gets, by name. */
        given: z.record(z.string(), z.json()),
        score: z.number(),
        /** For measured metrics only: whether the score passes. */
        passed: z.boolean().optional(),
        /** The metric's reason, if it is part of the example. */
        reason: z.string().optional(),
        /** The published test that the example is from, or how it is derived. */
        source: z.string().min(1),
      }),
    )
    .min(12),
});
type Example = z.output<typeof fileSchema>["examples"][number];

const examplesMark = /(<!-- worked examples: (\w+) -->\n).*?(<!-- \/worked examples -->)/gs;

/**
 * Returns a page with the worked examples of its metrics between their marks. `read` returns the text of a metric's example file. Throws if
 * such a file does not match the schema, belongs to another metric or has fewer than twelve examples.
 */
export function withWorkedExamples(page: string, read: (metric: string) => string): string {
  return page.replaceAll(examplesMark, (_, begin: string, metric: string, end: string) => {
    const { metric: named, examples } = fileSchema.parse(JSON.parse(read(metric)));
    if (named !== metric) throw new Error(`The example file of ${metric} has examples of ${named}.`);
    return `${begin}\n${table(examples)}\n\n${end}`;
  });
}

function table(examples: readonly Example[]): string {
  const rows = examples.map((example) => {
    const { title, given, source, reason } = example;
    const because = reason === undefined ? source : `${source}. Reason: ${reason}`;
    return `| ${cell(capitalized(title))} | ${givenText(given)} | ${scoreText(example)} | ${cell(because)} |`;
  });
  return ["| example | given | score | because |", "| --- | --- | --- | --- |", ...rows].join("\n");
}

function givenText(given: Example["given"]): string {
  return Object.entries(given)
    .map(([name, value]) => `${name}: ${codeSpan(JSON.stringify(value))}`)
    .join("<br>");
}

function scoreText({ score, passed }: Example): string {
  const rounded = String(Number(score.toFixed(6)));
  return passed === undefined ? rounded : `${rounded}, ${passed ? "passes" : "fails"}`;
}

/** Writes a string as code, between more backticks than any row of backticks in the string. */
function codeSpan(text: string): string {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([row]) => row.length));
  const fence = "`".repeat(longest + 1);
  const space = longest === 0 ? "" : " ";
  return `${fence}${space}${text.replaceAll("|", "\\|")}${space}${fence}`;
}

/** Writes prose into a table cell. Characters with a meaning in Markdown are escaped. */
function cell(text: string): string {
  return text.replaceAll("\n", " ").replaceAll(/[\\|*_`<[\]]/g, "\\$&");
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const tablesMark = /(<!-- metrics: (\w+) -->\n).*?(<!-- \/metrics -->)/gs;

interface TableForm {
  readonly kinds: readonly MetricKind[];
  readonly columns: readonly (readonly [title: string, cell: (metric: MetricDefinition) => string])[];
}

const nameColumn = ["metric", linkTo] as const;
const summaryColumn = ["what it measures", ({ documentation }: MetricDefinition) => documentation.summary] as const;
const needsColumn = ["needs", ({ documentation }: MetricDefinition) => linkEmbeddings(documentation.needs)] as const;

function linkEmbeddings(needs: string): string {
  return needs.replace("`embeddings`", "[`embeddings`](../apps/embeddings.md)");
}
const typeColumn = ["`type`", ({ type }: MetricDefinition) => `\`${type}\``] as const;
const rangeColumns = [
  ["range", ({ documentation }: MetricDefinition) => documentation.range] as const,
  [
    "default threshold",
    ({ defaultThreshold }: MetricDefinition) => String(defaultThreshold ?? "none: write one"),
  ] as const,
];
const costColumn = (title: string) => [title, ({ documentation }: MetricDefinition) => documentation.cost] as const;

const tableForms: Readonly<Record<string, TableForm>> = {
  computed: {
    kinds: ["text", "wording", "retrieval", "structure", "measured"],
    columns: [
      nameColumn,
      summaryColumn,
      ["kind", ({ kind }: MetricDefinition) => kind] as const,
      ...rangeColumns,
      needsColumn,
      costColumn("cost"),
    ],
  },
  judged: {
    kinds: ["judged"],
    columns: [nameColumn, typeColumn, summaryColumn, ...rangeColumns, needsColumn, costColumn("judge calls")],
  },
  code: {
    kinds: ["code"],
    columns: [nameColumn, typeColumn, summaryColumn, ...rangeColumns, needsColumn, costColumn("cost")],
  },
};

/** Returns a page with the tables of all metrics between their marks. */
export function withMetricTables(page: string, metrics: readonly MetricDefinition[]): string {
  return page.replaceAll(tablesMark, (_, begin: string, name: string, end: string) => {
    const form = tableForms[name];
    if (form === undefined) throw new Error(`There is no table of metrics called ${name}.`);
    return `${begin}\n${metricTable(form, metrics)}\n\n${end}`;
  });
}

function metricTable({ kinds, columns }: TableForm, metrics: readonly MetricDefinition[]): string {
  const rows = metrics
    .filter(({ kind }) => kinds.includes(kind))
    .map((metric) => columns.map(([, cell]) => cell(metric)));
  const lines = [columns.map(([title]) => title), columns.map(() => "---"), ...rows];
  return lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

function linkTo(metric: MetricDefinition): string {
  const [name = "", ...aliases] = namesOf(metric).map((each) => `\`${each}\``);
  return [`[${name}](../../reference/metrics/${pageOf(metric)}.md)`, ...aliases].join(", ");
}

/** Returns the name of a metric's page in docs/metrics, without its extension. */
export function pageOf({ name, documentation }: MetricDefinition): string {
  return documentation.page ?? name;
}
