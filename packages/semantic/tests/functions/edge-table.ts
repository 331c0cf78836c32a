import type { TestTable } from "../table-data.ts";

/** Negative numbers, NULL, zero, halves between two digits, letters beyond ASCII, ends of years. */
export const edgeTable: TestTable = {
  name: "edges",
  columns: {
    id: "integer",
    i: "integer",
    j: "integer",
    d: "decimal",
    e: "decimal",
    f: "double",
    b: "boolean",
    t: "text",
    day: "date",
    other: "date",
    ts: "timestamp",
    till: "timestamp",
  },
  key: ["id"],
  rows: [
    [1, 7, 2, 2.35, 1.5, 2.5, true, "aäb😀c", "2024-02-29", "2024-03-01", "2024-02-28 23:59:59", "2024-02-29 00:00:00"],
    [
      2,
      -7,
      2,
      -2.35,
      -1.5,
      -2.5,
      false,
      "Straße",
      "2024-01-01",
      "2023-12-31",
      "2024-01-01 00:00:00",
      "2023-12-31 23:59:59",
    ],
    [3, 0, 0, 0, 0.05, 0.3, null, "", "2021-01-03", "2021-01-04", "1969-12-31 23:30:15", "1970-01-01 00:30:00"],
    [4, null, 3, null, null, null, true, null, null, "2020-06-30", null, "2024-05-05 05:05:05"],
    [5, 7, null, 99999999.99, -0.01, -0.3, false, " İΣ x ", "2026-12-31", null, "2024-12-30 12:34:56", null],
  ],
};
