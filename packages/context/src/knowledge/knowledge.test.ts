import { readSettingsRules } from "@bridle/warehouse";
import { expect, test } from "vitest";
import { MemoryFacts, makeJoin, makeTable } from "../facts/memory-facts-for-tests.ts";
import { parseTableFile } from "../files/parse-table-file.ts";
import { type NotesOfFiles, notesOfTables, toJoinDecision } from "../files/table-notes.ts";
import { Knowledge } from "./knowledge.ts";
import type { KnowledgeSources } from "./known.ts";

const facts = new MemoryFacts(
  [
    makeTable("w.main.orders", ["id", "customer_id", { name: "total", comment: "With tax." }], { comment: "Comment." }),
    makeTable("w.main.customers", [
      "id",
      {
        name: "nick",
        profile: {
          rows: 9,
          nulls: 1,
          distinct: 5,
          min: "ann",
          max: "zoe",
          shapes: [],
          frequent: [{ value: "ann", rows: 3 }],
        },
      },
    ]),
    makeTable("w.main.logs"),
  ],
  [
    makeJoin("w.main.orders.customer_id", "w.main.customers.id", { status: "review", score: 0.6 }),
    makeJoin("w.main.orders.id", "w.main.logs.id"),
  ],
);

function knowledge(text: string, more: Partial<KnowledgeSources> = {}): Knowledge {
  const { value, problems } = parseTableFile(text, "context/tables/w/main.yaml");
  const joins = (value.joins ?? []).map(toJoinDecision).filter((each) => typeof each !== "string");
  const notes: NotesOfFiles = {
    tables: new Map(notesOfTables(value, { connection: "w", schema: "main" })),
    joins,
    problems,
  };
  return new Knowledge({ facts, files: { read: () => notes, version: () => text }, ...more });
}

test("a person's description wins over a document's, a model's and the comment of the database", () => {
  const written = new Map([
    ["", "Of a model."],
    ["total", "Of a model."],
  ]);
  const descriptions = { read: (id: string) => (id === "w.main.orders" ? written : undefined), version: () => "1" };
  const read = (text: string, more = {}) => knowledge(text, more).table("w.main.orders")?.description;
  expect(read("")).toEqual({ text: "Comment.", source: "comment" });
  expect(read("", { descriptions })).toEqual({ text: "Of a model.", source: "model" });
  const document = "tables: { orders: { description: { text: Of a document., source: document, from: a.md } } }";
  expect(read(document, { descriptions })).toEqual({ text: "Of a document.", source: "document", from: "a.md" });
  expect(read("tables: { orders: { description: Mine. } }", { descriptions })).toEqual({
    text: "Mine.",
    source: "person",
  });
});

test("a hidden table is absent with its joins, and a hidden column with its own", () => {
  const text = "tables: { logs: { hidden: true }, customers: { columns: { id: { hidden: true } } } }";
  const known = knowledge(text);
  expect(Array.from(known.tables(), ({ id }) => id)).toEqual(["w.main.customers", "w.main.orders"]);
  expect(known.table("w.main.logs")).toBeUndefined();
  expect(known.table("w.main.customers")?.columns.map(({ name }) => name)).toEqual(["nick"]);
  expect(known.joins()).toEqual([]);
});

test("a table outside of the caller's scope is absent with its joins", () => {
  const known = knowledge("");
  const isVisible = ({ table }: { table: string }) => table !== "logs";
  expect(Array.from(known.tables(isVisible), ({ table }) => table)).toEqual(["customers", "orders"]);
  expect(known.joins("w.main.orders", isVisible).map(({ to }) => to.table)).toEqual(["w.main.customers"]);
  expect(known.joins("w.main.orders")).toHaveLength(2);
});

test.each(["file", "settings"])(
  "a column that the %s mark as sensitive has no values, also if they were measured before",
  (who) => {
    const rules = readSettingsRules({ sensitive: ["main.customers.nick"] });
    const known =
      who === "settings"
        ? knowledge("", { rulesOf: () => rules })
        : knowledge("tables: { customers: { columns: { nick: { sensitive: true } } } }");
    expect(known.table("w.main.customers")?.columns[1]).toMatchObject({
      sensitive: "marked",
      profile: { rows: 9, nulls: 1, distinct: 5, shapes: [], frequent: [] },
    });
    expect(JSON.stringify([...known.tables()])).not.toMatch(/"ann"|"zoe"/);
  },
);

test("decisions of files accept, reject and add joins", () => {
  const known = knowledge(`joins:
  - { from: w.main.orders.customer_id, to: w.main.customers.id, status: accepted, reason: Asked Ann. }
  - { from: w.main.orders.id, to: w.main.logs.id, status: rejected }
  - { from: w.main.logs.id, to: w.main.customers.id, status: accepted, relationship: one-to-one, condition: "kind = 'c'" }
`);
  expect(known.joins()).toMatchObject([
    { id: expect.any(String), status: "accepted", score: 1, origin: "person", reason: "Asked Ann." },
    { from: { table: "w.main.logs" }, status: "accepted", relationship: "one-to-one", condition: "kind = 'c'" },
  ]);
  expect(known.joins("w.main.orders")).toHaveLength(1);
});

test("what the settings left out, mark or filter since the scan is not shown from old facts", () => {
  const settings = { exclude: ["main.logs"], filters: { "main.customers": "id < 3" } };
  const known = knowledge("", { rulesOf: () => readSettingsRules(settings) });
  expect(known.table("w.main.logs")).toBeUndefined();
  expect(known.joins("w.main.orders").map(({ to }) => to.table)).toEqual(["w.main.customers"]);
  expect(known.table("w.main.customers")).toMatchObject({ hasOtherFilter: true });
  expect(JSON.stringify([...known.tables(), ...known.joins()])).not.toMatch(/"ann"|"zoe"/);
  const broken = knowledge("", { rulesOf: () => readSettingsRules({ include: 5 }) });
  expect([...broken.tables()]).toEqual([]);
});
