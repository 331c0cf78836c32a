/** The tables of worked examples in the pages of metrics, from the data that the tests of the metrics run. */
import { z } from "zod";

const fileSchema = z.strictObject({
  metric: z.string(),
  examples: z
    .array(
      z.strictObject({
        title: z.string().min(1),
        /** What the metric is given, by name. */
        given: z.record(z.string(), z.json()),
        score: z.number(),
        /** Of metrics that are measured: whether the threshold is kept. */
        passed: z.boolean().optional(),
        /** What the metric says of it, where that is part of the example. */
        reason: z.string().optional(),
        /** The published test that it comes from, or how it is derived. */
        source: z.string().min(1),
      }),
    )
    .min(12),
});
type Example = z.output<typeof fileSchema>["examples"][number];

const place = /(<!-- worked examples: (\w+) -->\n).*?(<!-- \/worked examples -->)/gs;

/**
 * A page with the tables of its metrics between their marks. `read` gives the text of a metric's file of examples. Throws
 * where a file is not of the form, is of another metric or has fewer than twelve examples.
 */
export function withWorkedExamples(page: string, read: (metric: string) => string): string {
  return page.replaceAll(place, (_, begin: string, metric: string, end: string) => {
    const { metric: named, examples } = fileSchema.parse(JSON.parse(read(metric)));
    if (named !== metric) throw new Error(`The examples of ${metric} say that they are of ${named}.`);
    return `${begin}\n${table(examples)}\n\n${end}`;
  });
}

function table(examples: readonly Example[]): string {
  const rows = examples.map((example) => {
    const { title, given, source, reason } = example;
    const because = reason === undefined ? source : `${source}. It says: ${reason}`;
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

/** Longer than every row of backticks within. */
function codeSpan(text: string): string {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([row]) => row.length));
  const fence = "`".repeat(longest + 1);
  const space = longest === 0 ? "" : " ";
  return `${fence}${space}${text.replaceAll("|", "\\|")}${space}${fence}`;
}

/** Prose as it stands, in a cell: what Markdown would take for a sign is escaped. */
function cell(text: string): string {
  return text.replaceAll("\n", " ").replaceAll(/[\\|*_`<[\]]/g, "\\$&");
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
