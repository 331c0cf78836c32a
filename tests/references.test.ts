import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { agentJsonSchema } from "@bridle/agent";
import { metrics, namesOf } from "@bridle/metrics";
import type { MetricDefinition } from "@bridle/protocol";
import { expect, test } from "vitest";
import { root } from "../scripts/packages.ts";
import { configurationReference } from "../scripts/reference/configuration.ts";
import { type Node, nodeSchema } from "../scripts/reference/json-schema.ts";
import { pageOf, withWorkedExamples } from "../scripts/reference/metrics.ts";

test("the generated references are up to date", () => {
  execFileSync(process.execPath, ["--conditions=@bridle/source", join(root, "scripts/generate.ts"), "--check"], {
    stdio: "pipe",
  });
});

test("the reference of the configuration has a row for each key of a value that may also be a mapping", () => {
  const pool = {
    description: "What waits.",
    anyOf: [{ const: false }, { properties: { maxCalls: { type: "integer", description: "Calls. Default: 100." } } }],
  };
  const host = { properties: { backend: { const: "one" }, pool } };
  const reference = configurationReference({ properties: { provider: { anyOf: [host] } } });
  expect(reference).toContain("| `provider.pool` | `false`, or the keys below |  | `one`: What waits. |");
  expect(reference).toContain("| `provider.pool.maxCalls` | a whole number | `100` | `one`: Calls. |");
});

test("every metric has its page with worked examples, and its row in the tables", () => {
  const tables = readFileSync(join(root, "docs/guides/agents/metrics.md"), "utf8");
  const names = metrics.flatMap(namesOf);
  expect(names).toEqual(expect.arrayContaining(["bleu", "steps", "geval", "faithfulness", "rubric", "code"]));
  expect(names.filter((name) => !tables.includes(`\`${name}\``))).toEqual([]);
  expect(metrics.flatMap(findFaults)).toEqual([]);
});

test("an agent file has every metric of the registry, and no other", () => {
  expect(metricNames().toSorted()).toEqual(metrics.flatMap(namesOf).toSorted());
});

test("worked examples of another metric, or too few, are refused", () => {
  const page = "<!-- worked examples: f1 -->\n<!-- /worked examples -->";
  const examples = Array.from({ length: 12 }, (_, at) => ({
    title: `a | of *${at}*`,
    given: { answer: "`a`|b" },
    score: 1 / 3,
    source: "1/3",
  }));
  const file = (metric: string, count: number) => JSON.stringify({ metric, examples: examples.slice(0, count) });
  expect(
    withWorkedExamples(page, () => file("f1", 12))
      .split("\n")
      .slice(1, 5),
  ).toEqual([
    "",
    "| example | given | score | because |",
    "| --- | --- | --- | --- |",
    '| A \\| of \\*0\\* | answer: `` "`a`\\|b" `` | 0.333333 | 1/3 |',
  ]);
  expect(() => withWorkedExamples(page, () => file("bleu", 12))).toThrow("The example file of f1 has examples of bleu");
  expect(() => withWorkedExamples(page, () => file("f1", 11))).toThrow();
});

/** Lists the names in the schema: the values of `metric` and `metric_type`, or else of the type. */
function metricNames(): string[] {
  const { properties } = nodeSchema.parse(agentJsonSchema());
  const kinds = properties?.evaluations?.properties?.metrics?.items?.anyOf ?? [];
  return kinds.flatMap(({ properties: { type, metric, metric_type } = {} }) => valuesOf(metric ?? metric_type ?? type));
}

function valuesOf({ enum: values, const: only, anyOf = [] }: Node = {}): string[] {
  return [...(values ?? []), ...(only === undefined ? [] : [only])].map(String).concat(anyOf.flatMap(valuesOf));
}

function findFaults(metric: MetricDefinition): string[] {
  const path = `docs/reference/metrics/${pageOf(metric)}.md`;
  if (!existsSync(join(root, path))) return [`${path} is missing`];
  const page = readFileSync(join(root, path), "utf8");
  const parts = [/^## Definition$/m, /\bRange: /, /\bDefault threshold: /, /\bCost: /, /^## When to use it$/m];
  const missing = parts.filter((part) => !part.test(page)).map((part) => `${path} lacks ${part.source}`);
  const examples = metric.kind === "code" ? /^```ts$/m : /<!-- worked examples: \w+ -->\n\n(?:\|.*\n){14}/;
  return examples.test(page) ? missing : [...missing, `${path} lacks examples`];
}
