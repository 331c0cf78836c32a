import { describe, expect, test } from "vitest";
import { isSoak } from "../../../tests/support/soak.ts";
import { compileMetricQuery } from "../src/compile/compile-metric-query.ts";
import { metricDialectIds } from "../src/dialects/metric-dialect.ts";
import { composedCases } from "./cases/all-cases.ts";
import { shopModelSet } from "./shop-models.ts";
import { grammarComplaint, parserComplaint } from "./written-dialects.ts";

const models = shopModelSet();
const cases = composedCases;

describe.each(metricDialectIds)("the SQL of %s", (id) => {
  const turn = metricDialectIds.indexOf(id);
  const some = cases.filter((_, at) => isSoak || at % 2 === turn % 2); // tests each case with half of the dialects
  test.each(some.map((each) => [each.title, each] as const))("can be read where %s", async (_, each) => {
    const compiled = compileMetricQuery(models, each.query, id);
    if (compiled.kind === "refused") {
      expect("refused" in each || compiled.refusal.reason === "unsupported", compiled.refusal.message).toBe(true);
      return;
    }
    const statements = [compiled.sql, ...(compiled.totals ? [compiled.totals.sql] : [])];
    for (const sql of statements) {
      expect(parserComplaint(id, sql), sql).toBe(undefined);
      expect(await grammarComplaint(id, sql), sql).toBe(undefined);
    }
  });
});
