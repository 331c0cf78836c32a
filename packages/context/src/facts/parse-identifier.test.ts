import { expect, test } from "vitest";
import { formatColumnId, formatTableId } from "./identifiers.ts";
import { parseColumnId, parseTableId, splitIdentifier } from "./parse-identifier.ts";

test.each([
  ["w", "public", "orders"],
  ["w", "", "a.b"],
  ["w", 'say "hi"', "Größe in cm"],
])("an identifier of a table is parsed into the parts that it was written from: %s, %s, %s", (...parts) => {
  const [connection, schema, table] = parts;
  expect(parseTableId(formatTableId({ connection, schema, table }))).toEqual({ connection, schema, table });
  const column = { connection, schema, table, column: "x.y" };
  expect(parseColumnId(formatColumnId(column))).toEqual(column);
});

test.each(["", "w", "w.s", "w.s.t.c", "w..t", 'w.s."t', "w.s.t ", '"w"x.s.t'])(
  "%j is no identifier of a table",
  (text) => expect(parseTableId(text)).toBeUndefined(),
);

test("a column needs four parts", () => {
  expect(parseColumnId("w.s.t")).toBeUndefined();
  expect(splitIdentifier("a.b")).toEqual(["a", "b"]);
});
