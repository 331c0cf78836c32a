import { expect, test } from "vitest";
import { formatContextProblem } from "./file-problem.ts";
import { parseTableFile } from "./parse-table-file.ts";

const file = "context/tables/w/main.yaml";
const parse = (text: string) => {
  const { value, problems } = parseTableFile(text, file);
  return { value, problems: problems.map(formatContextProblem) };
};

test("a file with descriptions, hidden and sensitive columns and joins is read", () => {
  const text = `tables:
  orders:
    description: One row for each order.
    columns:
      email: { description: { text: Of the buyer., source: document, from: handbook.md }, sensitive: true }
joins:
  - { from: w.main.orders.c, to: [w.main.customers.id], status: accepted }
`;
  expect(parse(text)).toEqual({
    problems: [],
    value: {
      tables: {
        orders: {
          description: "One row for each order.",
          columns: {
            email: {
              description: { text: "Of the buyer.", source: "document", from: "handbook.md" },
              sensitive: true,
            },
          },
        },
      },
      joins: [{ from: "w.main.orders.c", to: ["w.main.customers.id"], status: "accepted" }],
    },
  });
});

test("an empty file says nothing and has no problem", () => {
  expect(parse("")).toEqual({ value: {}, problems: [] });
  expect(parse("# later\n")).toEqual({ value: {}, problems: [] });
});

test.each([
  ["tabels: {}", '1:1: unknown key "tabels". Did you mean "tables"?'],
  ["tables:\n  o: { descripton: x }", '2:8: unknown key "descripton". Did you mean "description"?'],
  ["tables:\n  o: { hidden: yes }", '2:8: tables.o.hidden is "yes", but must be true or false.'],
  [
    "tables:\n  o:\n    columns:\n      e: { sensitive: false }",
    "4:12: tables.o.columns.e.sensitive can only be true. Only bridle.yaml can mark a column as not sensitive; remove the line.",
  ],
  [
    "joins:\n  - { from: a.b, to: w.m.c.id, status: accepted }",
    "2:7: joins.0.from is not a valid identifier. Write connection.schema.table.column.",
  ],
  [
    "joins:\n  - { from: w.m.o.c, to: w.m.c.id, status: accept }",
    '2:36: joins.0.status is "accept", but must be one of accepted, rejected, proposed. Did you mean "accepted"?',
  ],
  ["joins:\n  - { from: w.m.o.c, to: w.m.c.id }", "2:5: joins.0.status is missing, but must be one of"],
  ["tables: [", "1:10: this is not YAML"],
  ["tables: {}\n---\ntables: {}", "2:1: the file holds more than one document. Keep one."],
  ["a: &a [*a]", "1:1: an alias in the file cannot be expanded."],
  ["tables:\n  o: { description: { text: x, sorce: person } }", '2:32: unknown key "sorce". Did you mean "source"?'],
])("%j is reported in one sentence with its place", (text, expected) => {
  expect(parse(text).problems.join("\n")).toContain(`${file}:${expected}`);
});

test("what has a problem is left out, and the rest is used", () => {
  const text = `tables:
  orders: { description: Kept., hiden: true }
  other: 5
joins:
  - { from: x, to: w.m.c.id, status: accepted }
  - { from: w.m.o.c, to: w.m.c.id, status: rejected }
`;
  const { value, problems } = parse(text);
  expect(problems).toHaveLength(3);
  expect(value.tables).toEqual({ orders: { description: "Kept." } });
  expect(value.joins).toEqual([{ from: "w.m.o.c", to: "w.m.c.id", status: "rejected" }]);
});

test.each([
  ["tables: [", true],
  ["<<<<<<< ours\ntables: {}", true],
  ["- tables", true],
  ["tables: 5", true],
  ["tabels: {}", true],
  ["tables:\n  o: 5", true],
  ["tables:\n  o: { hiden: true }", true],
  ["tables:\n  o: { hidden: yes }", true],
  ["tables:\n  o: { column: { e: { sensitive: true } } }", true],
  ["tables:\n  o: { columns: [e] }", true],
  ["tables:\n  o: { columns: { e: { sensitiv: true } } }", true],
  ["tables:\n  o: { columns: { e: { sensitive: false } } }", false],
  ["tables:\n  o: { hidden: true, owner: finance }", false],
  ["tables:\n  o: { description: 5 }", false],
  ["joins: 5", false],
  ["joins:\n  - { from: x }", false],
])("whether %j may lack a protection is %s", (text, mayLack) => {
  expect(parseTableFile(text, file).unprotected !== undefined).toBe(mayLack);
});
