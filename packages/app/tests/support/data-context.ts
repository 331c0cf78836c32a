import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { openDatabase } from "@bridle/core";
import { type Claim, openIngestStore } from "@bridle/ingest";
import type { ProjectContext } from "../../src/context/project-context.ts";
import { scanContext } from "../../src/warehouses/index.ts";

/** The content of `bridle.yaml` with the database of `writeDataContext`. */
export const shopConnection = "context: { connections: { shop: { type: sqlite, file: shop.db } } }\n";

const files: Readonly<Record<string, string>> = {
  "context/models/orders.yaml": `name: orders
connection: shop
table: main.orders
primary_key: [id]
measures: [{ name: revenue, agg: sum, expr: total, description: Paid in EUR. }]
dimensions: [{ name: placed_on, type: date, grain: day }]
`,
  "context/wiki/orders.md": `---
title: Orders
summary: What counts as an order.
tables: [shop.main.orders]
sources: [{ source: wiki, item: orders.md, title: The order book }]
---

# Orders

An order is **paid** on its day. [1]
`,
};

const tables = `
  CREATE TABLE customers (id INTEGER PRIMARY KEY, email TEXT, city TEXT);
  CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers (id), total NUMERIC, placed_on DATE);
  INSERT INTO customers VALUES (1, 'ann@example.com', 'Berlin'), (2, 'bob@example.com', 'Athens');
  INSERT INTO orders VALUES (1, 1, 10, '2026-01-02'), (2, 1, 20, '2026-01-03'), (3, 2, 7, '2026-02-01');
`;

export interface DataContextOptions {
  /** Statements that create more tables. */
  readonly more?: string;
  /** The two sides of a contradiction. */
  readonly sides?: readonly [string, string];
}

/** Writes a database, a metrics model, a page, and two documents that contradict each other. */
export async function writeDataContext(
  folder: string,
  {
    more = "",
    sides = ["An order counts when it is paid.", "An order counts when it is sent."],
  }: DataContextOptions = {},
): Promise<void> {
  const database = openDatabase(join(folder, "shop.db"));
  database.exec(tables + more);
  database.close();
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  const store = openIngestStore({ stateDir: join(folder, ".bridle") });
  store.claims.replace([claim("a", "b", sides[0]), claim("b", "a", sides[1])], new Date("2026-03-01T10:00:00Z"));
  store.close();
}

function claim(letter: string, other: string, statement: string): Claim {
  const [id, rival] = [letter.repeat(8), other.repeat(8)];
  const cited = { version: letter.repeat(64), title: `Book ${letter}`, authority: "document", origin: "unit" } as const;
  const place = { source: "wiki", item: `${letter}.md`, start: 0, end: statement.length };
  return {
    id,
    authority: "document",
    status: "contested",
    conflicts: [rival],
    conflictReason: "They differ.",
    body: { subject: "order", topic: "orders", category: "definition", kind: "statement", statement, tables: [] },
    sources: [{ ...cited, ...place, wording: statement, quote: statement }],
    page: "orders",
  };
}

/** Scans all connections of a project. */
export async function scanAll(context: ProjectContext): Promise<void> {
  const { signal } = new AbortController();
  await scanContext({}, context, { signal, onProgress() {}, onReport() {} });
}
