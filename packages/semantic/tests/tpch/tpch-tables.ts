/** The eight TPC-H tables with random rows, with the columns and value ranges of the specification. A scale of one is the full size. */
import { RandomChoices } from "../random/random-choices.ts";
import type { TestTable } from "../table-data.ts";

const regions = ["AFRICA", "AMERICA", "ASIA", "EUROPE", "MIDDLE EAST"];
const nations: readonly (readonly [string, number])[] = [
  ["ALGERIA", 0],
  ["ARGENTINA", 1],
  ["BRAZIL", 1],
  ["CANADA", 1],
  ["EGYPT", 4],
  ["ETHIOPIA", 0],
  ["FRANCE", 3],
  ["GERMANY", 3],
  ["INDIA", 2],
  ["INDONESIA", 2],
  ["IRAN", 4],
  ["IRAQ", 4],
  ["JAPAN", 2],
  ["JORDAN", 4],
  ["KENYA", 0],
  ["MOROCCO", 0],
  ["MOZAMBIQUE", 0],
  ["PERU", 1],
  ["CHINA", 2],
  ["ROMANIA", 3],
  ["SAUDI ARABIA", 4],
  ["VIETNAM", 2],
  ["RUSSIA", 3],
  ["UNITED KINGDOM", 3],
  ["UNITED STATES", 1],
];
const segments = ["AUTOMOBILE", "BUILDING", "FURNITURE", "HOUSEHOLD", "MACHINERY"];
const priorities = ["1-URGENT", "2-HIGH", "3-MEDIUM", "4-NOT SPECIFIED", "5-LOW"];
const modes = ["AIR", "AIR REG", "FOB", "MAIL", "RAIL", "SHIP", "TRUCK"];
const instructions = ["COLLECT COD", "DELIVER IN PERSON", "NONE", "TAKE BACK RETURN"];
const colours = ["green", "blue", "forest", "almond", "ivory", "plum", "steel", "wheat"];
const kinds = ["STANDARD", "SMALL", "MEDIUM", "LARGE", "ECONOMY", "PROMO"];
const finishes = ["ANODIZED", "BURNISHED", "PLATED", "POLISHED", "BRUSHED"];
const metals = ["TIN", "NICKEL", "BRASS", "STEEL", "COPPER"];
const sizes = ["SM", "LG", "MED", "JUMBO", "WRAP"];
const boxes = ["CASE", "BOX", "BAG", "JAR", "PKG", "PACK", "CAN", "DRUM"];

type Rows = TestTable["rows"];

export function tpchTables(scale: number): readonly TestTable[] {
  const choices = new RandomChoices(42);
  const count = (whole: number) => Math.max(1, Math.round(whole * scale));
  const [suppliers, parts, customers, orders] = [count(10_000), count(200_000), count(150_000), count(1_500_000)];
  const supplied = suppliersOfParts(parts, suppliers);
  const [orderRows, lineRows] = orderedRows(choices, orders, customers, parts, supplied);
  return [
    { ...columnsOf("region"), rows: regions.map((name, key) => [key, name]) },
    { ...columnsOf("nation"), rows: nations.map(([name, region], key) => [key, name, region]) },
    { ...columnsOf("supplier"), rows: numbers(suppliers).map((key) => supplierRow(choices, key)) },
    { ...columnsOf("customer"), rows: numbers(customers).map((key) => customerRow(choices, key)) },
    { ...columnsOf("part"), rows: numbers(parts).map((key) => partRow(choices, key)) },
    { ...columnsOf("partsupp"), rows: partSuppliers(choices, parts, supplied) },
    { ...columnsOf("orders"), rows: orderRows },
    { ...columnsOf("lineitem"), rows: lineRows },
  ];
}

const shapes = {
  region: { r_regionkey: "integer", r_name: "text" },
  nation: { n_nationkey: "integer", n_name: "text", n_regionkey: "integer" },
  supplier: {
    s_suppkey: "integer",
    s_name: "text",
    s_nationkey: "integer",
    s_acctbal: "decimal",
    s_comment: "long text",
  },
  customer: {
    c_custkey: "integer",
    c_name: "text",
    c_nationkey: "integer",
    c_acctbal: "decimal",
    c_mktsegment: "text",
  },
  part: {
    p_partkey: "integer",
    p_name: "text",
    p_mfgr: "text",
    p_brand: "text",
    p_type: "text",
    p_size: "integer",
    p_container: "text",
  },
  partsupp: { ps_partkey: "integer", ps_suppkey: "integer", ps_availqty: "integer", ps_supplycost: "decimal" },
  orders: {
    o_orderkey: "integer",
    o_custkey: "integer",
    o_totalprice: "decimal",
    o_orderdate: "date",
    o_orderpriority: "text",
    o_shippriority: "integer",
  },
  lineitem: {
    l_orderkey: "integer",
    l_linenumber: "integer",
    l_partkey: "integer",
    l_suppkey: "integer",
    l_quantity: "decimal",
    l_extendedprice: "decimal",
    l_discount: "decimal",
    l_tax: "decimal",
    l_returnflag: "text",
    l_linestatus: "text",
    l_shipdate: "date",
    l_commitdate: "date",
    l_receiptdate: "date",
    l_shipinstruct: "text",
    l_shipmode: "text",
  },
} as const satisfies Readonly<Record<string, TestTable["columns"]>>;

const keys: Readonly<Partial<Record<keyof typeof shapes, readonly string[]>>> = {
  partsupp: ["ps_partkey", "ps_suppkey"],
  lineitem: ["l_orderkey", "l_linenumber"],
};

function columnsOf(name: keyof typeof shapes): Pick<TestTable, "name" | "columns" | "key"> {
  return { name, columns: shapes[name], key: keys[name] ?? Object.keys(shapes[name]).slice(0, 1) };
}

function numbers(count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => index + 1);
}

function money(choices: RandomChoices, min: number, max: number): string {
  return (choices.int(min, max) / 100).toFixed(2);
}

function supplierRow(choices: RandomChoices, key: number): Rows[number] {
  const comment = choices.chance(5) ? "slow Customer of many Complaints" : "quick deposits";
  return [key, `Supplier#${key}`, choices.int(0, 24), money(choices, -99_999, 999_999), comment];
}

function customerRow(choices: RandomChoices, key: number): Rows[number] {
  const balance = money(choices, -99_999, 999_999);
  return [key, `Customer#${key}`, choices.int(0, 24), balance, choices.pick(segments)];
}

function partRow(choices: RandomChoices, key: number): Rows[number] {
  const maker = choices.int(1, 5);
  const type = `${choices.pick(kinds)} ${choices.pick(finishes)} ${choices.pick(metals)}`;
  const names = `${choices.pick(colours)} ${choices.pick(colours)} ${choices.pick(colours)}`;
  const container = `${choices.pick(sizes)} ${choices.pick(boxes)}`;
  return [
    key,
    names,
    `Manufacturer#${maker}`,
    `Brand#${maker}${choices.int(1, 5)}`,
    type,
    choices.int(1, 50),
    container,
  ];
}

/** Returns the suppliers of each part, at most four. */
function suppliersOfParts(parts: number, suppliers: number): readonly (readonly number[])[] {
  return numbers(parts).map((part) => [
    ...new Set(
      [0, 1, 2, 3].map((index) => ((part + index * Math.ceil(suppliers / 4 + part / suppliers)) % suppliers) + 1),
    ),
  ]);
}

function partSuppliers(choices: RandomChoices, parts: number, supplied: readonly (readonly number[])[]): Rows {
  return numbers(parts).flatMap((part) =>
    (supplied[part - 1] ?? []).map((supplier) => [part, supplier, choices.int(1, 9999), money(choices, 100, 100_000)]),
  );
}

const start = Date.UTC(1992, 0, 1);

function dayAfter(days: number): string {
  return new Date(start + days * 86_400_000).toISOString().slice(0, 10);
}

/** Creates orders, for two thirds of the customers. */
function orderedRows(
  choices: RandomChoices,
  orders: number,
  customers: number,
  parts: number,
  supplied: readonly (readonly number[])[],
): readonly [Rows, Rows] {
  const orderRows: Rows[number][] = [];
  const lineRows: Rows[number][] = [];
  for (const order of numbers(orders)) {
    const ordered = choices.int(0, 2405);
    const customer = Math.min(customers, choices.int(0, Math.floor(customers / 3)) * 3 + choices.int(1, 2));
    let total = 0;
    for (const line of numbers(choices.int(1, 7))) {
      const part = choices.int(1, parts);
      const quantity = choices.int(1, 50);
      const price = quantity * (90_000 + ((part * 10) % 20_001) + 100 * (part % 1000));
      total += price;
      const shipped = ordered + choices.int(1, 121);
      const received = shipped + choices.int(1, 30);
      const isOld = received <= 1263;
      lineRows.push([
        order,
        line,
        part,
        choices.pick(supplied[part - 1] ?? [1]),
        quantity,
        (price / 100).toFixed(2),
        (choices.int(0, 10) / 100).toFixed(2),
        (choices.int(0, 8) / 100).toFixed(2),
        isOld ? choices.pick(["R", "A"]) : "N",
        shipped > 1263 ? "O" : "F",
        dayAfter(shipped),
        dayAfter(ordered + choices.int(30, 90)),
        dayAfter(received),
        choices.pick(instructions),
        choices.pick(modes),
      ]);
    }
    orderRows.push([order, customer, (total / 100).toFixed(2), dayAfter(ordered), choices.pick(priorities), 0]);
  }
  return [orderRows, lineRows];
}
