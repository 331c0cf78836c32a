/**
 * Tables of a depot, in addition to those of the shop: stock levels with a calendar, very old times, and strings that collations treat as
 * equal.
 */
import type { TestTable } from "./table-data.ts";

export const depotTables: readonly TestTable[] = [
  {
    name: "calendar",
    columns: { day: "date", fiscal: "text", quarter_id: "integer" },
    key: ["day"],
    rows: [
      ["2024-01-15", "F1", 1],
      ["2024-01-30", "F1", 1],
      ["2024-01-31", "F1", 1],
      ["2024-02-01", "F2", 1],
      ["2024-02-10", "F2", 1],
      ["2024-02-29", "F2", 1],
      ["2024-04-01", "F3", 2],
    ],
  },
  {
    name: "quarters",
    columns: { id: "integer", label: "text" },
    key: ["id"],
    rows: [
      [1, "first"],
      [2, "second"],
    ],
  },
  {
    name: "periods",
    columns: { opens: "date", closes: "date", label: "text" },
    key: ["opens"],
    rows: [
      ["2024-01-01", "2024-02-01", "winter"],
      ["2024-02-01", "2024-03-01", "carnival"],
    ],
  },
  {
    name: "prices",
    columns: { sku: "text", day: "date", price: "decimal" },
    key: [],
    rows: [
      ["a", "2024-01-31", 1.5],
      ["a", "2024-02-10", 1.5],
      ["b", "2024-01-15", 2],
    ],
  },
  {
    name: "stock",
    columns: { place: "integer", sku: "text", day: "date", units: "integer", zone: "text" },
    key: [],
    rows: [
      [1, "a", "2024-01-30", 5, "n"],
      [1, "a", "2024-01-31", 7, "s"],
      [1, "b", "2024-01-15", 3, "s"],
      [2, "a", "2024-01-31", 11, "s"],
      [1, "a", "2024-02-10", 8, "s"],
      [2, "a", "2024-02-29", 0, "n"],
      [2, "b", "2024-02-01", 20, "n"],
      [1, "b", "2024-04-01", null, "s"],
      [3, "c", "2024-03-05", 40, null],
    ],
  },
  {
    name: "archive",
    columns: { id: "integer", happened: "timestamp", value: "integer" },
    key: ["id"],
    rows: [
      [1, "1965-07-01 04:30:00", 1],
      [2, "1947-06-30 22:30:00", 2],
      [3, "2024-07-01 04:30:00", 4],
      [4, "1969-12-31 23:30:00", 8],
      [5, "1883-11-18 16:30:00", 16],
    ],
  },
  {
    name: "people",
    columns: { id: "integer", name: "text", active: "boolean", seen: "timestamp", due: "date", chief: "integer" },
    key: ["id"],
    rows: [
      [1, "Zoë", true, "2024-01-31 00:00:00", "2024-01-31", null],
      [2, "zoë", false, "2024-01-31 10:00:00", "2024-01-31", 1],
      [3, "a_b", true, "2024-02-01 03:00:00", "2024-02-29", 1],
      [4, "axb", null, "2024-02-29 23:59:59", "2024-02-29", 3],
      [5, null, true, null, "2021-01-03", null],
      [6, "Zoë ", false, "2024-03-01 00:00:00", null, 3],
      [7, "ZOE", null, "2024-03-01 07:59:59", "2024-03-01", 1],
    ],
  },
];
