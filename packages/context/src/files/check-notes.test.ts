import { expect, test } from "vitest";
import { MemoryFacts, makeTable } from "../facts/memory-facts-for-tests.ts";
import { findUnknownNotes } from "./check-notes.ts";
import type { NotesOfFiles } from "./table-notes.ts";

test("tables and columns that no scan found are named, with the nearest that exist", () => {
  const facts = new MemoryFacts([makeTable("w.main.orders", ["id", "total"])]);
  const notes: NotesOfFiles = {
    tables: new Map([
      ["w.main.order", {}],
      ["w.main.orders", { columns: { totl: {}, id: {} } }],
      ["unscanned.main.x", {}],
    ]),
    joins: [
      {
        from: { table: "w.main.orders", columns: ["customer"] },
        to: { table: "w.main.customers", columns: ["id"] },
        status: "accepted",
        source: "person",
      },
    ],
    problems: [],
  };
  expect(findUnknownNotes(notes, facts).map(({ message }) => message)).toEqual([
    'The scan found no table w.main.order. Did you mean "w.main.orders"?',
    'The table w.main.orders has no column totl. Did you mean "total"?',
    "The table w.main.orders has no column customer.",
    "The scan found no table w.main.customers.",
  ]);
});
