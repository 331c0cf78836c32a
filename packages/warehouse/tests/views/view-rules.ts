/** Tests that views, and other objects that show rows of tables, do not show hidden rows. The expectations are the same for each engine. */
import { expect, test } from "vitest";
import type { Connector } from "../../src/index.ts";
import { openWarehouse } from "../../src/warehouse/open-warehouse.ts";
import type { TableScope, Warehouse } from "../../src/warehouse/warehouse.ts";

export interface ViewRulesHarness {
  readonly connector: Connector;
  /** Returns the connection's keys. Called when a test runs. */
  config(): Readonly<Record<string, unknown>>;
  /**
   * The schema of the tables `orders` (id, region: one row in EU, one in `hidden-4711`) and `salaries` (amount), and of views over them:
   * `all_orders`, `order_ids` over `all_orders`, and `pay`, which also counts the salaries.
   */
  readonly schema: string;
  /** Other objects that show rows of `orders`, such as a materialized view. */
  readonly others?: readonly string[] | undefined;
  /** Objects that show rows of both `salaries` and `orders` in a way that is specific to the engine, such as a function. */
  readonly othersOfPay?: readonly string[] | undefined;
  /** Statements that would reveal something about the hidden row of `orders` if they ran on the table itself. */
  readonly escapes: readonly string[];
}

export function testViewRules({
  connector,
  config,
  schema,
  others = [],
  othersOfPay = [],
  escapes,
}: ViewRulesHarness): void {
  const open = async <T>(settings: object, work: (warehouse: Warehouse) => Promise<T>): Promise<T> => {
    const entry = { ...config(), ...settings };
    const warehouse = await openWarehouse({ name: "shop", connector, config: entry, context: { projectDir: "/" } });
    try {
      return await work(warehouse);
    } finally {
      await warehouse.close();
    }
  };
  const filters = { [`${schema}.orders`]: "region = 'EU'" };
  const all = ["all_orders", "order_ids", "pay", ...others, ...othersOfPay];

  test.each([
    ["without include", {}],
    ["with the schema in include", { include: [schema] }],
    ["with a pattern in include", { include: [`${schema}.*`] }],
    ["with names with a star in include", { include: [`${schema}.*`, `${schema}.all_order*`] }],
  ])("a row filter also holds for views and for all else that shows its table, %s", async (_, settings) => {
    await open({ ...settings, filters }, async (warehouse) => {
      expect(
        await readable(
          warehouse,
          all.map((table) => `${schema}.${table}`),
        ),
      ).toEqual([]);
      expect((await warehouse.query(`SELECT id FROM ${schema}.orders`)).rows).toEqual([[1n]]);
      expect((await warehouse.findLeftOutViews()).map(({ table }) => table)).toEqual(expect.arrayContaining(all));
    });
  });

  test("no statistics, plan, error or catalog tells the values of rows that a filter hides", async () => {
    await open({ filters }, async (warehouse) => {
      for (const statement of escapes) {
        const answer = await warehouse.query(statement).then(
          ({ rows }) => JSON.stringify(rows, (_, value) => (typeof value === "bigint" ? String(value) : value)),
          (error: Error) => error.message.replaceAll(statement, ""),
        );
        expect(answer, statement).not.toMatch(/hidden-4711|^\[\["2"/);
      }
    });
  });

  test("a view of a filtered table can be read if the settings name it", async () => {
    const names = { include: [schema, `${schema}.all_orders`], views: [`${schema}.order_id*`], filters };
    await open(names, async (warehouse) => {
      const read = [`${schema}.all_orders`, `${schema}.order_ids`];
      expect(
        await readable(
          warehouse,
          all.map((table) => `${schema}.${table}`),
        ),
      ).toEqual(read);
    });
    await open({ filters: { ...filters, [`${schema}.all_orders`]: "region = 'hidden-4711'" } }, async (warehouse) => {
      expect((await warehouse.query(`SELECT id FROM ${schema}.all_orders`)).rows).toEqual([[2n]]);
    });
  });

  const ofPay = ["pay", ...othersOfPay];
  const hides: readonly [string, TableScope, TableScope | undefined][] = [
    ["the connection excludes the table", { exclude: [`${schema}.salaries`] }, undefined],
    ["the connection excludes tables of such a name", { exclude: ["*.sal*"] }, undefined],
    [
      "the connection includes other tables",
      { include: [`${schema}.o*`, `${schema}.p*`, `${schema}.all*`] },
      undefined,
    ],
    ["the caller excludes the table", {}, { exclude: [`${schema}.salaries`] }],
    ["the caller includes other tables", {}, { include: [`${schema}.o*`, `${schema}.p*`, `${schema}.all*`] }],
  ];
  test.each(hides)("a view over a table outside of the scope is outside, too: %s", async (_, settings, scope) => {
    await open(settings, async (warehouse) => {
      const { tables } = await warehouse.readStructure({ scope });
      const names = tables.map(({ table }) => table);
      expect(names).toEqual(expect.arrayContaining(["all_orders", "order_ids", "orders"]));
      expect(names.filter((name) => ofPay.includes(name))).toEqual([]);
      expect(
        await readable(
          warehouse,
          ofPay.map((table) => `${schema}.${table}`),
          scope,
        ),
      ).toEqual([]);
      expect(await readable(warehouse, [`${schema}.order_ids`], scope)).toEqual([`${schema}.order_ids`]);
    });
  });

  test("a view over a table outside of the scope can be read if include or views name it", async () => {
    const name = `${schema}.pay`;
    for (const more of [{ include: ["*", name] }, { views: [`${schema}.pa*`] }]) {
      await open({ ...more, exclude: [`${schema}.salaries`] }, async (warehouse) => {
        expect(await readable(warehouse, [name, `${schema}.salaries`])).toEqual([name]);
        const caller = { exclude: [`${schema}.salaries`] };
        expect(await readable(warehouse, [name], caller)).toEqual([]);
        expect(await readable(warehouse, [name], { include: [name] })).toEqual([name]);
      });
    }
  });
}

/** Returns the tables that a statement can read. */
async function readable(
  warehouse: Warehouse,
  names: readonly string[],
  scope?: TableScope,
): Promise<readonly string[]> {
  const read: string[] = [];
  for (const name of names) {
    const found = await warehouse.query(`SELECT * FROM ${name}`, { scope }).then(
      () => true,
      ({ reason }) => (reason === "unknown_name" ? false : expect.fail(`${name}: ${reason}`)),
    );
    if (found) read.push(name);
  }
  return read;
}
