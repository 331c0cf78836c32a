import { expect, test } from "vitest";
import { describeJoin } from "./describe-join.ts";

test("a join is described by its origin, its score and the rows that have no parent", () => {
  const end = { table: "a", columns: ["b"] };
  const join = { from: end, to: end, status: "accepted", score: 0.97, relationship: "many-to-one" } as const;
  const evidence = { coverage: 0.974, violations: 59, examples: [], signals: [] };
  expect(describeJoin({ ...join, origin: "found", evidence })).toBe(
    "found in the data, score 0.97, 59 rows without a parent (2.6%)",
  );
  expect(describeJoin({ ...join, origin: "declared", relationship: "one-to-one" })).toBe(
    "declared in the database, one-to-one",
  );
  expect(describeJoin({ ...join, origin: "person", evidence: { ...evidence, violations: 0 } })).toBe(
    "decided by a person, no row without a parent",
  );
});
