import { expect, test } from "vitest";
import { normaliseQuery } from "./normalise-query.ts";
import type { ShapeColumn } from "./query-shape.ts";
import { readQueryShape } from "./read-query-shape.ts";

const nameOf = ({ table, column }: ShapeColumn) => [...table, column].join(".");

/** Returns the joins of a statement, such as `a.x = b.y`. An added ` …` means that other conditions also decide which rows match. */
function joinsOf(sql: string): readonly string[] {
  return (readQueryShape(sql)?.joins ?? []).map(({ from, to, isConditional }) => {
    const pairs = from.map((column, index) => `${nameOf(column)} = ${nameOf(to[index] ?? column)}`);
    return `${pairs.join(", ")}${isConditional ? " …" : ""}`;
  });
}

test.each<[string, string, readonly string[]]>([
  ["ON", "select 1 from trips t join fares f on f.trip_id = t.id", ["fares.trip_id = trips.id"]],
  [
    "USING",
    "select 1 from shop.orders join shop.lines using (order_id, shop_id)",
    ["shop.orders.order_id = shop.lines.order_id, shop.orders.shop_id = shop.lines.shop_id"],
  ],
  ["WHERE", "select 1 from a, b where a.x = b.y and b.z = 3", ["a.x = b.y …"]],
  ["two columns", "select 1 from a join b on a.x = b.x and b.y = a.y", ["a.x = b.x, a.y = b.y"]],
  ["a condition beside the columns", "select 1 from a join b on a.x = b.x and b.kind = 'ship'", ["a.x = b.x …"]],
  ["a condition with OR, which is no join", "select 1 from a join b on a.x = b.x or a.y = b.y", []],
  ["an expression, which is no join", "select 1 from a join b on lower(a.x) = b.x", []],
  [
    "quoted names",
    'select 1 from "Shop"."Orders" o join `p.d.lines` l on o."Id" = l.order_id',
    ["Shop.Orders.Id = p.d.lines.order_id"],
  ],
  [
    "a common table expression, which is no table",
    "with t as (select * from trips) select 1 from t join fares f on f.trip_id = t.id",
    [],
  ],
  [
    "a common table expression around a join",
    "with j as (select a.x from a join b on b.a_id = a.id) select * from j",
    ["b.a_id = a.id"],
  ],
  [
    "a subquery in FROM",
    "select 1 from (select a.x from a left outer join b on b.a_id = a.id) s join c on c.x = s.x",
    ["b.a_id = a.id"],
  ],
  [
    "a subquery in WHERE that names the outer table",
    "select 1 from a where exists (select 1 from b where b.a_id = a.id)",
    ["b.a_id = a.id"],
  ],
  [
    "both terms of a UNION",
    "select 1 from a join b on a.i = b.i union all (select 1 from c join d on c.i = d.i)",
    ["a.i = b.i", "c.i = d.i"],
  ],
  ["a self join", "select 1 from staff s join staff m on s.boss_id = m.id", []],
  ["columns without tables, which could be of either", "select 1 from a join b on x = y", []],
  [
    "parentheses around tables",
    "select 1 from (a join b on a.i = b.i) left join c on (c.i = a.i)",
    ["a.i = b.i", "c.i = a.i"],
  ],
  [
    "SQL Server's names",
    "select 1 from [dbo].[orders] o inner join [dbo].[lines] l on l.[order id] = o.[id]",
    ["dbo.lines.order id = dbo.orders.id"],
  ],
  ["a subquery of APPLY", "select 1 from a cross apply (select 1 from b where b.a_id = a.id) x", ["b.a_id = a.id"]],
  ["several statements", "select 1; select 1 from a join b on a.i = b.i", ["a.i = b.i"]],
  ["a template beside them", "select {{ columns }} from a join b on a.i = b.i where {{ condition }}", ["a.i = b.i"]],
  ["a part that cannot be read", "select {'a': 1}, x from a join b on a.i = b.i", ["a.i = b.i"]],
  ["comments and odd characters", "select /* a join */ 1 from a -- x\njoin b on a.i = b.i ; \u0000", ["a.i = b.i"]],
])("joins are read from %s", (_, sql, expected) => {
  expect(joinsOf(sql)).toEqual(expected);
});

test("filters name the column and the operator, and aggregates their column", () => {
  const sql =
    "select status, count(*) n, sum(t.amount) as total, avg(distinct x), max(a) + 1 from trips t where t.status in ('done', 'paid') and t.deleted_at is null and started between ? and ? and not x";
  const shape = readQueryShape(sql);
  expect(shape?.filters.map(({ on, operator }) => `${nameOf(on)} ${operator}`)).toEqual([
    "trips.status in",
    "trips.deleted_at is null",
    "trips.started between",
  ]);
  expect(shape?.filters.map(({ start, end }) => sql.slice(start, end))[0]).toBe("t.status in ('done', 'paid')");
  expect(
    shape?.aggregates.map(({ function: name, column, isOfRows, alias, isDistinct }) => [
      name,
      column?.column,
      isOfRows,
      alias,
      isDistinct,
    ]),
  ).toEqual([
    ["count", undefined, true, "n", false],
    ["sum", "amount", false, "total", false],
    ["avg", "x", false, undefined, true],
  ]);
  expect(shape?.isSimple).toBe(false);
});

test.each([
  ["select sum(x) as total from t where a = 1 and b is null group by 2", true],
  ["select sum(x) from t where a = 1 or b = 2", false],
  ["select sum(x) from t having sum(x) > 3", false],
  ["select sum(x) from t join u on u.i = t.i", false],
  ["select sum(x) from t where a in (select a from u)", false],
  ["select sum(x) from t limit 3", false],
  ["select top 3 sum(x) from t", false],
  ["select sum(x) from t, unnest(t.y)", false],
  ["select sum(a.x) from t a join t b on a.i < b.j", false],
  ["select sum(x) from t where not a in (1)", false],
  ["select sum(x) from t where a like 'b!%' escape '!'", false],
])("%s is simple: %s", (sql, expected) => {
  expect(readQueryShape(sql)?.isSimple).toBe(expected);
});

test.each([
  ["insert into t values (1)"],
  ["hello"],
  [""],
  ["select"],
  ["((((((((("],
  ["select 1 from a join"],
  ["select ' from a"],
  [`select 1 ${"from (select 1 ".repeat(5_000)}`],
  [`select ${"(".repeat(50_000)}`],
  [`select 1 from ${"(".repeat(50_000)}`],
  [`select 1 from t where ${"(".repeat(50_000)}`],
  [`select ${"'".repeat(50_001)}`],
  [`select 1 from t where ${"a.x = b.x and ".repeat(10_000)} true`],
  [`select ${"- ".repeat(50_000)} 1 from t`],
  [`select ${"not ".repeat(40_000)} 1 from t`],
  [`select ${"exists ".repeat(20_000)} 1 from t`],
  [`select ${"case when ".repeat(10_000)} 1 from t`],
  [`select ${"a.".repeat(50_000)}b from t`],
  [`select 1 from t where a in ${"(a, ".repeat(10_000)}`],
])("any text can be read without an error: %.40s", (sql) => {
  expect(() => readQueryShape(sql)).not.toThrow();
});

test.each([
  ["SELECT * FROM t WHERE id IN (1, 2, 3) -- note", "select * from t where id in (?)"],
  [
    "select  a.b ,'it''s' from t where x=$1 and y = :name and z = {{ p }}",
    "select a.b, ? from t where x = ? and y = ? and z = ?",
  ],
  ["insert into t values (1,'a'),(2,'b')", "insert into t values (?)"],
  [
    "select count(*)::int from T where x > -5 and d = date '2026-01-01'",
    "select count(*)::int from t where x > ? and d = date ?",
  ],
  ['select "Mixed" from "T";', 'select "Mixed" from "T"'],
  ["select $tag$secret$tag$, E'a\\'b', 1e5, 0xFF", "select ?"],
  ["select /* token=abc */ 1", "select ?"],
  ["select a[length('secret')] from t", "select a [length(?)] from t"],
  ['select * from t where mail = "ada@example.org"', "select * from t where mail = ?"],
])("the template of %s has no value", (sql, expected) => {
  expect(normaliseQuery(sql)).toBe(expected);
});

test.each<[string, boolean, string]>([
  [
    String.raw`select * from t where path = 'C:\' and name = 'secret'`,
    false,
    "select * from t where path = ? and name = ?",
  ],
  [String.raw`select * from t where name = 'it\'s secret'`, true, "select * from t where name = ?"],
  [String.raw`select E'it\'s secret' from t`, false, "select ? from t"],
])(
  "no value is taken for a name in %s, whether or not a backslash escapes a quote: %s",
  (sql, backslashEscapes, expected) => {
    expect(normaliseQuery(sql, { backslashEscapes })).toBe(expected);
  },
);

test("in engines with texts in double quotes, these are values too", () => {
  expect(normaliseQuery('select * from `a.b` where x = "secret"', { doubleQuotedTexts: true })).toBe(
    "select * from `a.b` where x = ?",
  );
});
