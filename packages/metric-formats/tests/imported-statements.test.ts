// biome-ignore-all lint/suspicious/noTemplateCurlyInString: they are references of LookML and Cube
import { compileMetricQuery, ModelSet } from "@bridle/semantic";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { comparableRow, sortedRows } from "../../semantic/tests/comparable-rows.ts";
import { startLocalEngines, type TestEngine } from "../../semantic/tests/engines.ts";
import { importMetricModels, recogniseFormats } from "../src/import-metric-models.ts";
import { rideTables } from "./rides.ts";

const sql = "SELECT rider_id, count(*) AS n FROM rides GROUP BY rider_id";
const ansi = (text: string) => `expression: { dialects: [{ dialect: ANSI_SQL, expression: "${text}" }] }`;

/** The same models in each format: the rides of each rider, counted by a query. */
const sources = {
  LookML: {
    file: "riders.view.lkml",
    write: (query: string) => `view: activity {
  derived_table: { sql: ${query} ;; }
  dimension: rider_id { primary_key: yes type: number }
  dimension: n { type: number sql: \${TABLE}.n ;; }
  measure: riders { type: count }
  measure: most { type: max sql: \${n} ;; }
}`,
  },
  Cube: {
    file: "riders.yml",
    write: (query: string) => `cubes:
  - name: activity
    sql: ${JSON.stringify(query)}
    dimensions:
      - { name: rider_id, sql: rider_id, type: number, primary_key: true }
      - { name: n, sql: n, type: number }
    measures:
      - { name: riders, type: count }
      - { name: most, type: max, sql: n }`,
  },
  OSI: {
    file: "riders.yaml",
    write: (query: string) => `version: 0.2.0.dev0
semantic_model:
  - name: bikes
    datasets:
      - name: activity
        source: ${JSON.stringify(query)}
        primary_key: [rider_id]
        fields:
          - { name: n, ${ansi("n")} }
        metrics:
          - { name: riders, ${ansi("COUNT(1)")} }
          - { name: most, ${ansi("MAX(n)")} }`,
  },
};

let engines: readonly TestEngine[] = [];
beforeAll(async () => {
  engines = await startLocalEngines();
  for (const engine of engines) await engine.load(rideTables);
});
afterAll(async () => {
  for (const engine of engines) await engine.close();
});

function importText(text: string, file: string) {
  const [format] = recogniseFormats([{ file, text }]);
  if (format === undefined) throw new Error("The format is not recognised.");
  return importMetricModels(format, [{ file, text }]);
}

describe.each(Object.entries(sources))("%s", (_, { file, write }) => {
  test("the rows of a query are those of a model, and its numbers those of hand-written SQL", async () => {
    const { models, findings } = importText(write(`${sql};`), file);
    expect(findings).toMatchObject([{ kind: "changed", reason: expect.stringContaining("dialect of the connection") }]);
    expect(models).toMatchObject([{ name: "activity", sql }]);
    const query = { measures: ["activity.riders", "activity.most"], dimensions: ["activity.n"] };
    for (const engine of engines) {
      const compiled = compileMetricQuery(new ModelSet(models), query, engine.id);
      if (compiled.kind === "refused") throw new Error(`Refused: ${compiled.refusal.message}`);
      const types = compiled.columns.map(({ type }) => type);
      const [rows, expected] = [
        await engine.run(compiled.sql),
        await engine.run(`select n, count(*), max(n) from (${sql}) s group by n`),
      ];
      const shown = (found: typeof rows) => sortedRows(found.map((row) => comparableRow(row, types)));
      expect(shown(rows), compiled.sql).toEqual(shown(expected));
    }
  });

  test.each([
    "SELECT * FROM ${other.SQL_TABLE_NAME}",
    "SELECT * FROM rides WHERE {% condition day %} day {% endcondition %}",
    "SELECT * FROM rides WHERE {FILTER_PARAMS.activity.n.filter('n')}",
    "(SELECT 1 AS n)",
  ])("the query %j is refused, because another tool fills it, or because it is none", (query) => {
    const { models, findings } = importText(write(query), file);
    expect(models).toEqual([]);
    expect(findings).toContainEqual(expect.objectContaining({ kind: "refused" }));
  });
});
