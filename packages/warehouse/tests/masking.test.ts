import { expect, test } from "vitest";
import { openSimple, people, shop } from "./support/open-simple.ts";

const addresses = people.map(({ email }) => email);

test.each([
  "SELECT * FROM crm.customers",
  "SELECT email FROM crm.customers",
  "SELECT upper(email), substr(email, 1, 3), email || '' FROM crm.customers",
  "SELECT (SELECT email FROM crm.customers LIMIT 1)",
  "WITH c AS (SELECT email AS e FROM crm.customers) SELECT e FROM c",
  "SELECT max(email), min(email), group_concat(email) FROM crm.customers",
  "SELECT c.* FROM orders o JOIN crm.customers c ON o.buyer = c.email",
  "SELECT CASE WHEN email LIKE 'a%' THEN email END FROM crm.customers",
  "SELECT id FROM crm.customers WHERE email = 'ada@example.com'",
  "SELECT name FROM crm.customers WHERE email LIKE 'ada@%'",
  "SELECT email FROM crm.customers UNION SELECT buyer FROM orders",
  "SELECT unicode(email), instr(email, '@'), hex(substr(email, 1, 4)) FROM crm.customers",
])("no value of a sensitive column leaves through %s", async (statement) => {
  const { warehouse } = await openSimple();
  const result = await warehouse.query(statement);
  const text = JSON.stringify(result, (_, value) => (typeof value === "bigint" ? String(value) : value));
  for (const address of addresses) expect(text).not.toContain(address);
  expect(text).not.toMatch(/ada@|@example|616461/i);
  expect(text).not.toMatch(/"(?:ada|bob|cem)"/);
});

test("a condition on a sensitive column meets no value", async () => {
  const { warehouse } = await openSimple();
  const { rows } = await warehouse.query(
    "SELECT id FROM crm.customers WHERE email IN ('ada@example.com', 'bob@example.com')",
  );
  expect(rows).toEqual([]);
});

test("joins and counts over masked columns stay right", async () => {
  const { warehouse } = await openSimple();
  const { rows, masked } = await warehouse.query(
    "SELECT c.name, sum(o.total), count(DISTINCT o.buyer) FROM orders o JOIN crm.customers c ON o.buyer = c.email GROUP BY c.name",
  );
  expect(rows).toEqual([["Ada", 12n, 1n]]);
  expect(masked).toEqual(["main.orders.buyer", "crm.customers.email"]);
});

test("the digests of two open warehouses differ, and those of one are the same", async () => {
  const [first, second] = [await openSimple(), await openSimple()];
  const read = async ({ warehouse }: typeof first) =>
    (await warehouse.query("SELECT email FROM crm.customers WHERE id = 1")).rows[0]?.[0];
  const digest = await read(first);
  expect(digest).toMatch(/^[0-9a-f]{16}$/);
  expect(await read(first)).toBe(digest);
  expect(await read(second)).not.toBe(digest);
});

test("NULL in a sensitive column stays NULL", async () => {
  const { warehouse } = await openSimple({}, [{ name: "main.t", rows: [{ email: "a@example.com" }, { email: null }] }]);
  const { rows } = await warehouse.query("SELECT count(email), count(*) FROM t");
  expect(rows).toEqual([[1n, 2n]]);
});

test("columns are masked by the settings, by their names, by their values and by what a scan found", async () => {
  const { warehouse } = await openSimple({ sensitive: ["crm.*.name"] });
  const before = await warehouse.query("SELECT * FROM crm.customers");
  warehouse.addSensitive([{ schema: "crm", table: "customers", column: "region" }]);
  const after = await warehouse.query("SELECT * FROM crm.customers");
  const orders = await warehouse.query("SELECT * FROM orders");
  expect(before.masked).toEqual(["crm.customers.name", "crm.customers.email"]);
  expect(after.masked).toEqual(["crm.customers.name", "crm.customers.email", "crm.customers.region"]);
  expect(orders.masked).toEqual(["main.orders.buyer"]);
  expect(JSON.stringify(after.rows, (_, value) => String(value))).not.toMatch(/Ada|EU/);
});

test("what the settings say about a column is asked by the scan, and a name alone says nothing", async () => {
  const { warehouse } = await openSimple({
    sensitive: ["crm"],
    notSensitive: ["crm.customers.id"],
    reveal: ["crm.customers.name"],
  });
  const marked = (column: string, table = "customers") => warehouse.markedSensitive({ schema: "crm", table, column });
  expect([marked("id"), marked("name"), marked("email")]).toEqual([false, true, true]);
  expect(warehouse.markedSensitive({ schema: "main", table: "orders", column: "email" })).toBe(undefined);
});

test("a column that the settings reveal passes, and one that is not sensitive too", async () => {
  const { warehouse } = await openSimple({ reveal: ["crm.customers.email"], notSensitive: ["main.orders.buyer"] });
  const { rows, masked } = await warehouse.query("SELECT email FROM crm.customers WHERE id = 1");
  expect([rows, masked]).toEqual([[["ada@example.com"]], []]);
  expect((await warehouse.query("SELECT buyer FROM orders")).rows[0]).toEqual(["ada@example.com"]);
});

test("a single address in a column of other texts is replaced", async () => {
  const notes = Array.from({ length: 300 }, (_, at) => ({ note: at === 250 ? "ask ada@example.com" : "fine" }));
  const { warehouse } = await openSimple({}, [{ name: "main.notes", rows: notes }]);
  const { rows, masked } = await warehouse.query("SELECT note FROM notes WHERE note <> 'fine'");
  expect([rows, masked]).toEqual([[["ask [email]"]], []]);
});

test("the key of the digests is in no result, no name of a column and no message", async () => {
  const { warehouse, engine } = await openSimple();
  const result = await warehouse.query("SELECT (SELECT email FROM crm.customers LIMIT 1)");
  const key = /digest\("rows"\."email", '(\w+)'\)/.exec(engine.sent.join("\n"))?.[1] ?? "";
  expect(key).toMatch(/^\w{32,}$/);
  expect(result.columns).toMatchObject([{ name: "column_1" }]);
  const errors = await Promise.all(
    [`SELECT fail_with('${key}'), email FROM crm.customers`, "SELECT fail_with(name) FROM crm.customers"].map(
      (statement) => warehouse.query(statement).catch((error: Error) => error.message),
    ),
  );
  expect(`${errors}`).not.toContain(key);
  const { rows } = await warehouse.query(`SELECT 'x${key}y' FROM crm.customers`);
  expect(rows[0]).toEqual(["x[key]y"]);
});

test("an error of the engine quotes no value of a table with masked columns", async () => {
  const { warehouse } = await openSimple();
  const message = await warehouse
    .query("SELECT fail_with(name) FROM crm.customers")
    .catch((error: Error) => error.message);
  expect(message).toBe(
    "invalid input: [hidden] and value: [hidden], near [hidden]. The statement reads sensitive columns, and their values are texts of digests: crm.customers.email.",
  );
});

test("an error of the engine quotes no single address of a table without masked columns", async () => {
  const notes = Array.from({ length: 300 }, (_, at) => ({ note: at === 250 ? "ask ada@example.com" : "fine" }));
  const { warehouse } = await openSimple({}, [{ name: "main.notes", rows: notes }]);
  const failing = "SELECT fail_with(note) FROM notes WHERE note <> 'fine'";
  const message = await warehouse.query(failing).catch((error: Error) => error.message);
  expect(message).toContain("[email]");
  expect(message).not.toContain("ada@");
});

test("an error of the engine shows what the caller wrote", async () => {
  const { warehouse } = await openSimple();
  await expect(warehouse.query("SELECT fail_with('Zed'), email FROM crm.customers")).rejects.toThrow(
    'invalid input: "Zed"',
  );
  await expect(warehouse.query("SELECT fail_with(total) FROM orders WHERE total = 7")).rejects.toThrow(
    'invalid input: "7"',
  );
});

test("a table without sensitive columns is read as it is", async () => {
  const { warehouse, engine } = await openSimple();
  await warehouse.query("SELECT amount FROM hr.salaries");
  expect(engine.sent.at(-1)).toBe('SELECT amount FROM "hr/salaries" AS "salaries"');
  expect(warehouse.relationOf({ schema: "crm", table: "customers" })).toBe('"crm/customers"');
});

test("each table is looked at once for sensitive values", async () => {
  const { warehouse, engine } = await openSimple();
  await Promise.all([warehouse.query("SELECT id FROM orders"), warehouse.query("SELECT id FROM orders")]);
  expect(engine.sent.filter((sql) => sql.startsWith('SELECT "id", "buyer"'))).toHaveLength(1);
});

test("a closed warehouse has closed its connection", async () => {
  const { warehouse, engine } = await openSimple({}, shop);
  await warehouse.close();
  expect(engine.isClosed).toBe(true);
});
