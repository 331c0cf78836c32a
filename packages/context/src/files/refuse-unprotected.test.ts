import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDatabase } from "@bridle/core";
import { silentLogger } from "@bridle/protocol";
import { openWarehouse } from "@bridle/warehouse";
import { connectors } from "@bridle/warehouse/definitions";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type OpenedContext, openContext } from "../context/open-context.ts";
import { ToolsForTests } from "../tools/shop-for-tests.ts";

const projectDir = mkdtempSync(join(tmpdir(), "bridle-unprotected-"));
const good = `tables:
  orders: { columns: { channel: { sensitive: true } } }
  wages: { hidden: true }
`;

function write(text: string): void {
  mkdirSync(join(projectDir, "context/tables/shop"), { recursive: true });
  writeFileSync(join(projectDir, "context/tables/shop/main.yaml"), text);
}

function open(): OpenedContext {
  const [connector] = connectors;
  const config = { type: "sqlite", file: "shop.db" };
  const surroundings = { projectDir, environment: {}, logger: silentLogger };
  const opening = () => openWarehouse({ name: "shop", connector, config, context: surroundings });
  const connections = [{ name: "shop", open: opening }];
  return openContext({ projectDir, stateDir: join(projectDir, ".bridle"), environment: {}, connections });
}

beforeAll(async () => {
  using database = openDatabase(join(projectDir, "shop.db"));
  database.exec(`CREATE TABLE orders (id INTEGER, channel TEXT); INSERT INTO orders VALUES (1, 'web'), (2, 'web');
    CREATE TABLE wages (id INTEGER, amount INTEGER); INSERT INTO wages VALUES (1, 5000), (2, 5000)`);
  const context = open();
  await context.scan("shop");
  await context.close();
});
afterAll(() => rmSync(projectDir, { recursive: true, force: true }));

test.each([
  ["with the marks of a merge", `<<<<<<< ours\n${good}=======\n>>>>>>> theirs\n`, "1:1: this is not YAML"],
  ["with a misspelt key", good.replace("hidden", "hiden"), '3:12: unknown key "hiden"'],
])("a file %s shows nothing of what it was to protect, also if it was right before", async (_, broken, message) => {
  write(good);
  const context = open();
  const { rows } = await context.sql("shop", "SELECT channel FROM orders");
  expect(rows.flat()).not.toContain("web");
  await expect(context.sql("shop", "SELECT amount FROM wages")).rejects.toThrow("There is no table wages");

  write(broken);
  const opened = open();
  for (const each of [context, opened]) {
    for (const table of ["orders", "wages"]) {
      await expect(each.sql("shop", `SELECT * FROM ${table}`)).rejects.toThrow(
        `context/tables/shop/main.yaml:${message}`,
      );
      expect(each.describe(`shop.main.${table}`)).toBeUndefined();
    }
    expect(await each.search("wages")).toEqual([]);
    const tools = new ToolsForTests(each.tools().tools);
    const replies = [
      await tools.call("run_sql", { statement: "SELECT * FROM wages" }),
      await tools.call("find_value", { value: "web" }),
      await tools.call("describe", {}),
    ];
    expect(JSON.stringify(replies)).not.toMatch(/5000|amount/);
    expect(replies[0]?.markdown).toContain("nothing is read from shop until it is corrected");
    await expect(each.scan("shop")).rejects.toThrow("nothing is read from shop until it is corrected");
  }

  write(good);
  expect((await opened.sql("shop", "SELECT id FROM orders ORDER BY id")).rows).toEqual([[1n], [2n]]);
  await opened.close();
  await context.close();
});
