// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is how the file refers to the environment

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { createFolderTrust, openProject } from "@bridle/project";
import { expect, onTestFinished, test } from "vitest";

/** Creates a project with a database in its folder. */
function makeProject(yaml: string): string {
  const folder = mkdtempSync(join(tmpdir(), "bridle-warehouses-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, "data"));
  const database = new DatabaseSync(join(folder, "data/shop.db"));
  database.exec(
    "CREATE TABLE orders (id INTEGER PRIMARY KEY, email TEXT); INSERT INTO orders VALUES (1, 'ada@example.com')",
  );
  database.close();
  writeFileSync(join(folder, "bridle.yaml"), yaml);
  return folder;
}

const open = (yaml: string, environment: Record<string, string> = {}) =>
  openProject({ projectDir: makeProject(yaml), environment });

const shop = "context: { connections: { shop: { type: sqlite, file: data/shop.db } } }";

test("a connection of bridle.yaml is opened by name, and its file is found from the project's folder", async () => {
  const project = await open(shop);
  expect(project.connections).toEqual([{ name: "shop", type: "sqlite", place: "shop.db", isLocal: true, missing: [] }]);
  const warehouse = await project.openWarehouse("shop");
  const { rows, masked } = await warehouse.query("SELECT id, email FROM orders");
  await warehouse.close();
  expect(masked).toEqual(["main.orders.email"]);
  expect(rows).toEqual([[1n, expect.not.stringContaining("@")]]);
});

test("a connection that does not exist is refused with the nearest name", async () => {
  const project = await open(shop);
  await expect(project.openWarehouse("shpo")).rejects.toThrow('There is no connection "shpo". Did you mean "shop"?');
  await expect(project.openWarehouse("warehouse")).rejects.toThrow("There are: shop.");
  const empty = await open("{}");
  await expect(empty.openWarehouse("shop")).rejects.toThrow("Add it under context.connections in bridle.yaml.");
  expect(empty.connections).toEqual([]);
});

test.each([
  ["context: { connections: { shop: { type: sqlit, file: a } } }", 'context.connections.shop.type is "sqlit"'],
  ["context: { connections: { shop: { type: sqlite, fil: a } } }", 'unknown key "fil". Did you mean "file"?'],
  ["context: { connections: { shop: { type: sqlite } } }", "context.connections.shop.file is missing"],
  ["context: { connections: { 'a.b': { type: sqlite, file: a } } }", "must begin with a letter"],
  [
    "context: { connections: { shop: { type: sqlite, file: a, include: [a..b] } } }",
    "must be a name such as schema.table",
  ],
  ["context: { connections: { shop: { type: sqlite, file: a, limits: { rows: 0 } } } }", "must be at least 1"],
  [
    "context: { connections: { shop: { type: sqlite, file: a, filters: { t: x } } } }",
    "must be a name such as schema.table",
  ],
  ["context: { scan: { querys: 3 } }", 'unknown key "querys". Did you mean "queries"?'],
])("%s is refused with its position: %s", async (yaml, message) => {
  const error = await open(yaml).catch((caught: Error) => caught);
  expect(`${error}`).toMatch(/bridle\.yaml:1:\d+: /);
  expect(`${error}`).toContain(message);
});

test("a variable of a connection that is not set fails only what opens it", async () => {
  const project = await open("context: { connections: { shop: { type: sqlite, file: '${SHOP_FILE}' } } }");
  expect(project.connections).toEqual([
    { name: "shop", type: "sqlite", place: "${SHOP_FILE}", isLocal: true, missing: ["SHOP_FILE"] },
  ]);
  const opened = project.openWarehouse("shop");
  await expect(opened).rejects.toThrow(
    "The connection shop needs SHOP_FILE, which the environment does not have. Set it.",
  );
  await expect(opened).rejects.toThrow(/bridle\.yaml:1:\d+/);
});

const rules = "include: [main], limits: { rows: 5 }, sensitive: [main.orders.email], reveal: [main.orders.email]";
const server = "user: reader, database: shop";

test.each([
  [`{ type: sqlite, file: data/shop.db, ${rules} }`, "shop.db"],
  [
    `{ type: postgres, host: db.example, ${server}, password: '\${SECRET}', filters: { main.orders: id > 1 } }`,
    "db.example:5432/shop",
  ],
  [`{ type: postgres, host: '\${HOST}', ${server}, password: '\${SECRET}', ${rules} }`, "${HOST}:5432/shop"],
  ["{ type: postgres, url: '${DATABASE_URL}', password: '${SECRET}' }", "${DATABASE_URL}"],
  [`{ type: mysql, host: db.example, ${server}, password: '\${SECRET}', exclude: [hr] }`, "db.example:3306/shop"],
  [`{ type: clickhouse, host: db.example, ${server}, password: '\${SECRET}' }`, "db.example:8443/shop"],
  [`{ type: sqlserver, host: db.example, ${server}, password: 'x\${SECRET}y' }`, "db.example:1433/shop"],
  ["{ type: duckdb, files: { a: 'data/${NAME}.csv' }, memory: 2GB }", "data/${NAME}.csv"],
])("the place of %s is %s", async (entry, place) => {
  for (const environment of [
    {},
    { SECRET: "hidden-1", HOST: "hidden-2", NAME: "hidden-3", DATABASE_URL: "hidden-4" },
  ]) {
    const project = await open(`context: { connections: { shop: ${entry} } }`, environment);
    expect(project.connections[0]?.place).toBe(place);
  }
});

test("a value of the environment is in no error and no list of connections", async () => {
  const project = await open("context: { connections: { shop: { type: sqlite, file: '${SHOP_FILE}' } } }", {
    SHOP_FILE: "data/private-name.db",
  });
  expect(project.connections).toMatchObject([{ place: "${SHOP_FILE}", missing: [] }]);
  const error = await project.openWarehouse("shop").catch((caught: Error) => caught);
  expect(error).toMatchObject({ code: "config" });
  expect(`${error}`).not.toContain("private-name");
  expect(JSON.stringify([await project.status(), await project.doctor()])).not.toContain("private-name");
});

test("a project whose file names a database needs trust, and says which", async () => {
  const projectDir = makeProject(
    "context: { connections: { shop: { type: sqlite, file: ../other.db, reveal: ['*'] } } }",
  );
  const trust = createFolderTrust({ environment: { HOME: projectDir } });
  const project = await openProject({ projectDir, environment: {}, trust });
  await expect(project.openWarehouse("shop")).rejects.toThrow(
    "reads         the database shop of sqlite, with file: ../other.db (context.connections.shop)",
  );
  const [state] = await project.checkTrust();
  expect(state?.effects).toMatchObject([{ kind: "reads", content: expect.stringContaining("reveal") }]);
  const doctor = await project.doctor();
  expect(doctor.find(({ id }) => id === "connection-shop")).toMatchObject({ ok: "skipped" });
});

test("status lists the connections without opening them", async () => {
  const project = await open("context: { connections: { shop: { type: sqlite, file: nothing.db } } }");
  expect((await project.status()).connections).toEqual([
    { name: "shop", type: "sqlite", place: "nothing.db", missing: [] },
  ]);
});

test("doctor opens each connection, and says which layers hold", async () => {
  const checks = await (await open(shop)).doctor();
  const check = checks.find(({ id }) => id === "connection-shop");
  expect(check).toMatchObject({ title: "Warehouse shop", area: "configuration", ok: true });
  expect(check?.detail).toMatch(/^SQLite \d+\.\d+\.\d+, shop\.db/);
  expect(check?.detail).toContain("session");
});

test("doctor warns about patterns that name nothing, and fails for a database that cannot be opened", async () => {
  const typo = await open(
    "context: { connections: { shop: { type: sqlite, file: data/shop.db, sensitive: [main.order.email] } } }",
  );
  const warned = (await typo.doctor()).find(({ id }) => id === "connection-shop");
  expect(warned).toMatchObject({ ok: true, remedy: expect.stringContaining("main.order.email") });
  const broken = await open("context: { connections: { shop: { type: sqlite, file: nothing.db } } }");
  const failed = (await broken.doctor()).find(({ id }) => id === "connection-shop");
  expect(failed).toMatchObject({ ok: false, remedy: expect.any(String) });
});

test("doctor shows no value of the environment in what to do about a connection", async () => {
  const project = await open(
    "context: { connections: { shop: { type: sqlite, file: data/shop.db, sensitive: ['main.${HIDDEN_TABLE}.*'] } } }",
    { HIDDEN_TABLE: "private_takings" },
  );
  const check = (await project.doctor()).find(({ id }) => id === "connection-shop");
  expect(check).toMatchObject({ ok: true, remedy: expect.stringContaining("Correct or remove sensitive:") });
  expect(JSON.stringify(check)).not.toContain("private_takings");
});
