/** With names, comments and values of any length and script, replies stay within their token limit, and reading page by page ends. */
import { afterAll, expect, test } from "vitest";
import { MemoryFacts, makeJoin, makeTable } from "../facts/memory-facts-for-tests.ts";
import { estimateReplyTokens } from "../replies/estimate-tokens.ts";
import { ShopForTests } from "./shop-for-tests.ts";

const giants = ["鬱".repeat(3000), "💥".repeat(2000), "kqzv".repeat(2500), "\u0301".repeat(4000), "a b".repeat(3000)];
const quote = (name: string) => `"${name.replaceAll('"', '""')}"`;
const profile = (value: string) => ({
  rows: 9,
  nulls: 3,
  distinct: 5,
  min: value,
  max: value,
  shapes: [],
  frequent: [
    { value, rows: 3 },
    { value: "same", rows: 2 },
  ],
});
const columns = giants.map((giant) => ({ name: giant, comment: giant, nativeType: giant, profile: profile(giant) }));
const names = giants.map((giant) => `shop.main.${quote(`orders_${giant}`)}`);
const facts = new MemoryFacts(
  names.map((id, index) =>
    makeTable(id, columns, {
      comment: giants[index],
      key: { columns: giants, declared: true, score: 1 },
      sample: giants[index],
    }),
  ),
  names.slice(1).map((id) =>
    makeJoin("shop.main.orders.id", "shop.main.orders.id", {
      id,
      condition: giants[0],
      from: { table: names[0] ?? "", columns: giants },
      to: { table: id, columns: giants },
    }),
  ),
);

const wide = Array.from({ length: 400 }, (_, index) => `hex(randomblob(300)) AS ${quote(`column ${index} 鬱龘`)}`);
const shop = new ShopForTests(`
  CREATE TABLE giants (${quote("鬱".repeat(300))} TEXT);
  INSERT INTO giants VALUES (hex(randomblob(50000))), ('${"💥".repeat(5000)}'), ('${"| a |".repeat(900)}'), ('${"x\n".repeat(900)}');`);
afterAll(() => shop.close());

const calls: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
  ["search_context", { query: "orders", limit: 30 }],
  ["search_context", { query: giants[0] ?? "" }],
  ["search_context", { query: "a b ".repeat(4000) }],
  ["describe", {}],
  ["describe", { name: giants[1] ?? "" }],
  ["describe", { name: "orders" }],
  ...names.map((name) => ["describe", { name }] as const),
  ["find_value", { value: "same" }],
  ["find_value", { value: "💥".repeat(100) }],
  ["run_sql", { statement: "SELECT * FROM giants" }],
  ["run_sql", { statement: `SELECT ${wide.join(", ")}` }],
  ["run_sql", { statement: `SELECT ${quote(giants[0] ?? "")} FROM orders` }],
  ["run_sql", { statement: `SELECT '${giants[3]}' FROM nothing` }],
  ["run_sql", { statement: "SELECT 1", connection: giants[2] ?? "" }],
];

test.each([600, 1000, 4000])(
  "with hostile content, no reply has more than %i tokens, and each says something",
  async (replyTokens) => {
    const tools = shop.tools({ facts, replyTokens });
    for (const [name, input] of calls) {
      const { markdown } = await tools.call(name, input);
      const what = `${name} ${JSON.stringify(input).slice(0, 40)}: ${markdown.slice(0, 500)}`;
      expect(estimateReplyTokens(markdown), what).toBeLessThanOrEqual(replyTokens);
      expect(markdown.length, what).toBeGreaterThan(50);
    }
  },
);

test.each([600, 1000])("with hostile content and %i tokens, reading on comes to the end", async (replyTokens) => {
  const tools = shop.tools({ facts, replyTokens });
  for (const name of [undefined, names[0], names[2]]) {
    let from = 0;
    for (let page = 0; page < 20; page++) {
      const { markdown } = await tools.call("describe", { ...(name && { name }), from });
      expect(markdown).toContain("<data-");
      const next = Number(/Continue with from: (\d+)\./.exec(markdown)?.[1] ?? giants.length);
      expect(next).toBeGreaterThan(from);
      from = next;
      if (from === giants.length) break;
    }
    expect(from).toBe(giants.length);
  }
});

test("a value that is in more columns than fit says how many are missing", async () => {
  const { markdown, structured } = await shop.tools({ facts, replyTokens: 600 }).call("find_value", { value: "same" });
  const { found } = Object(structured);
  expect(found).toHaveLength(names.length * columns.length);
  expect(markdown).toMatch(/\d+ more columns did not fit\./);
});
