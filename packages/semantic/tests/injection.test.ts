import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { compileMetricQuery } from "../src/compile/compile-metric-query.ts";
import { metricDialectIds } from "../src/dialects/metric-dialect.ts";
import { semanticModelSchema } from "../src/models/model-schema.ts";
import { ModelSet } from "../src/models/model-set.ts";
import type { MetricRefusalReason } from "../src/refusals/metric-refusal.ts";
import { startEngines, type TestEngine } from "./engines.ts";
import { hostileExpressions, hostileModels, hostileQueries, hostileTexts } from "./hostile-texts.ts";
import { columnFacts, type TestTable } from "./table-data.ts";
import { grammarComplaint, parserComplaint } from "./written-dialects.ts";

const notes: TestTable = {
  name: "orders",
  columns: { id: "integer", label: "text", amount: "decimal", happened: "timestamp" },
  key: ["id"],
  rows: hostileTexts.map((text, index) => [index + 1, text, "1.00", "2024-01-01 00:00:00"]),
};

const model = {
  name: "orders",
  table: "orders",
  primary_key: ["id"],
  dimensions: [{ name: "label" }, { name: "at", expr: "happened", type: "time" }],
  measures: [
    { name: "count", agg: "count" },
    { name: "total", agg: "sum", expr: "amount" },
    { name: "first", agg: "min", expr: "id" },
  ],
};

function modelSet(changes: object = {}): ModelSet {
  return new ModelSet([semanticModelSchema.parse({ ...model, ...changes })], {
    columns: { orders: columnFacts(notes) },
  });
}

let engines: readonly TestEngine[] = [];

beforeAll(async () => {
  engines = await startEngines();
  for (const engine of engines) await engine.load([{ ...notes, columns: { ...notes.columns, label: "long text" } }]);
});

afterAll(async () => {
  for (const engine of engines) await engine.close();
});

function reasonOf(models: ModelSet, query: unknown): MetricRefusalReason | "compiled" {
  const reasons = metricDialectIds.map((id) => {
    const compiled = compileMetricQuery(models, query, id);
    return compiled.kind === "refused" ? compiled.refusal.reason : "compiled";
  });
  expect(new Set(reasons).size, reasons.join(", ")).toBe(1);
  return reasons[0] ?? "compiled";
}

describe.each(hostileExpressions)("the expression %j", (expression, reason) => {
  test("is refused as a filter", () => {
    expect(reasonOf(modelSet(), { measures: ["orders.count"], filters: [expression] })).toBe(reason);
  });

  test("is refused as a part of a filter", () => {
    const filters = [{ or: ["orders.label = 'a'", { and: [expression] }] }];
    expect(reasonOf(modelSet(), { measures: ["orders.count"], filters })).toBe(reason);
  });

  test("is refused after the aggregation", () => {
    const refused = reasonOf(modelSet(), { measures: ["orders.count"], having: [expression] });
    expect(refused).not.toBe("compiled");
  });

  test("is refused in a measure, a dimension, a segment and a metric", () => {
    const measures = [{ name: "count", agg: "count_distinct", expr: expression }];
    expect(reasonOf(modelSet({ measures }), { measures: ["orders.count"] })).not.toBe("compiled");
    const dimensions = [{ name: "label", expr: expression }];
    const query = { measures: ["orders.count"], dimensions: ["orders.label"] };
    expect(reasonOf(modelSet({ dimensions }), query)).not.toBe("compiled");
    const segments = [{ name: "some", filter: expression }];
    const segmented = { measures: ["orders.count"], filters: [{ segment: "orders.some" }] };
    expect(reasonOf(modelSet({ segments }), segmented)).not.toBe("compiled");
    const metrics = [{ name: "odd", type: "derived", expr: expression }];
    const isCompiled = reasonOf(modelSet({ metrics }), { measures: ["orders.odd"] }) === "compiled";
    // Only a metric's expression may contain aggregates.
    expect(isCompiled).toBe(/^(count|sum|max)\(/.test(expression));
  });
});

test.each(hostileQueries)("the query %j is refused", (query, reason) => {
  expect(reasonOf(modelSet(), { measures: ["orders.count"], ...query })).toBe(reason);
});

test.each(hostileModels)("the model with %j is refused", (changes) => {
  expect(semanticModelSchema.safeParse({ ...model, ...changes }).success).toBe(false);
});

describe.each(hostileTexts.map((text, index) => [text.slice(0, 60), text, index + 1] as const))("%j", (_, text, id) => {
  test("finds the row with this text alone, on every engine that runs here", async () => {
    for (const filter of [
      { field: "orders.label", op: "=", value: text },
      { field: "orders.label", op: "in", value: [text, "none"] },
      ...(/[\n\t]/.test(text) || text.length > 5000 ? [] : [`orders.label = '${text.replaceAll("'", "''")}'`]),
    ]) {
      const query = { measures: ["orders.count", "orders.first"], filters: [filter] };
      for (const engine of engines) {
        const compiled = compileMetricQuery(modelSet(), query, engine.id);
        if (compiled.kind === "refused") throw new Error(compiled.refusal.message);
        const rows = await engine.run(compiled.sql);
        expect(
          rows.map((row) => row.map(Number)),
          `${engine.id} ${compiled.sql}`,
        ).toEqual([[1, id]]);
      }
    }
  });

  test("is one literal in the SQL of every engine", async () => {
    const query = { measures: ["orders.count"], filters: [{ field: "orders.label", op: "=", value: text }] };
    for (const engine of metricDialectIds) {
      const compiled = compileMetricQuery(modelSet(), query, engine);
      if (compiled.kind === "refused") throw new Error(compiled.refusal.message);
      expect(parserComplaint(engine, compiled.sql), compiled.sql).toBe(undefined);
      const complaint = await grammarComplaint(engine, compiled.sql);
      expect(complaint, compiled.sql).toBe(undefined);
    }
  });

  test("is the name of a column, or refused", async () => {
    const query = { measures: [{ measure: "orders.count", as: text }], orderBy: [{ field: text }] };
    for (const engine of engines) {
      const compiled = compileMetricQuery(modelSet(), query, engine.id);
      if (compiled.kind === "refused") {
        expect(compiled.refusal.reason).toBe("invalid_query");
        continue;
      }
      expect(compiled.columns.map(({ name }) => name)).toEqual([text.trim()]);
      expect((await engine.run(compiled.sql)).map((row) => row.map(Number))).toEqual([[hostileTexts.length]]);
    }
  });
});

const hostileColumns = [
  'a" OR 1 = 1 --',
  "a` OR 1 = 1 --",
  "a] OR 1 = 1 --",
  "a' OR 1 = 1 --",
  "a;b",
  "a/*b",
  "{a}",
  "select",
  "a.b",
];

test.each(hostileColumns)("the column %j is one quoted name in the SQL of every engine", async (name) => {
  const expr = `"${name.replaceAll('"', '""')}"`;
  const changed = { ...model, dimensions: [{ name: "label", expr }], primary_key: [name] };
  const columns = { orders: { [name]: { type: "integer" as const } } };
  const models = new ModelSet([semanticModelSchema.parse(changed)], { columns });
  for (const id of metricDialectIds) {
    const compiled = compileMetricQuery(models, { measures: ["orders.count"], dimensions: ["orders.label"] }, id);
    if (compiled.kind === "refused") throw new Error(compiled.refusal.message);
    // The parser does not know backslashes in quoted names, and the grammar refuses such names.
    const isEscaped = compiled.sql.includes("\\");
    if (!isEscaped) expect(parserComplaint(id, compiled.sql), compiled.sql).toBe(undefined);
    const complaint = await grammarComplaint(id, compiled.sql);
    if (!(isEscaped && complaint?.includes("A quoted name contains"))) expect(complaint, compiled.sql).toBe(undefined);
  }
});

test("a table with quotes in its name is one quoted name", async () => {
  for (const engine of engines) {
    const query = { measures: ["orders.count"] };
    const compiled = compileMetricQuery(modelSet({ table: 'orders"; DROP TABLE orders; --' }), query, engine.id);
    if (compiled.kind === "refused") throw new Error(compiled.refusal.message);
    await expect(engine.run(compiled.sql)).rejects.toThrow(/orders/);
    expect(await engine.run("SELECT count(*) FROM orders")).toHaveLength(1);
  }
});
