import { expect, test } from "vitest";
import { findUnusedPatterns } from "./find-unused-patterns.ts";

const column = { name: "email", type: "text", nativeType: "text", nullable: true } as const;
const table = { schema: "crm", table: "people", kind: "table", columns: [column] } as const;
const structure = { tables: [{ ...table, primaryKey: [], uniqueKeys: [], foreignKeys: [] }], problems: [] };

test("patterns that match no table and no column are found", () => {
  const settings = {
    include: ["crm", "sales.*"],
    exclude: ["crm.tmp_*"],
    sensitive: ["*.*.email", "crm.person.email"],
    reveal: ["crm.people.mail"],
  };
  expect(findUnusedPatterns(settings, structure)).toEqual([
    "include: sales.*",
    "exclude: crm.tmp_*",
    "sensitive: crm.person.email",
    "reveal: crm.people.mail",
  ]);
  expect(findUnusedPatterns({}, structure)).toEqual([]);
});
