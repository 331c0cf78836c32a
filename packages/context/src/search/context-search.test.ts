import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { MemoryFacts, makeJoin, makeTable } from "../facts/memory-facts-for-tests.ts";
import { Knowledge } from "../knowledge/knowledge.ts";
import { ContextSearch } from "./context-search.ts";
import { GroupEmbedder } from "./test-embedder-for-tests.ts";

const frequent = (...values: string[]) => ({
  profile: { rows: 9, nulls: 0, distinct: 2, shapes: [], frequent: values.map((value) => ({ value, rows: 4 })) },
});

const tables = [
  makeTable("w.main.orders", ["order_id", "cust_id", { name: "status", ...frequent("shipped", "Überfällig") }]),
  makeTable("w.main.OrderLine", ["orderId", "lineNo", "qty"], { comment: "What was bought, one row per article." }),
  makeTable("w.main.cust", ["cust_id", { name: "city", comment: "Where the invoice goes." }]),
  makeTable("w.main.πελάτες", ["κωδικόςΠελάτη", "ονοματεπώνυμο"]),
  makeTable("w.main.受注明細", ["受注番号", "数量"]),
  makeTable("w.main.custOrderHdr", ["ordNo"]),
  makeTable("w.main.shpmttrackevt", ["evt"]),
  makeTable("w.main.OrderStatusHistory", ["changedAt"]),
  makeTable("w.hr.salaries", ["employee", { name: "iban", sensitive: "iban" }]),
];
const joins = [makeJoin("w.main.orders.cust_id", "w.main.cust.cust_id", { condition: "status = 'paid'" })];

function open(facts = new MemoryFacts(tables, joins), more: object = {}) {
  const knowledge = new Knowledge({ facts, ...more });
  return new ContextSearch({ knowledge, ...more });
}

const ids = async (search: ContextSearch, query: string, options: object = { kinds: ["table"] }) =>
  (await search.find(query, options)).map(({ id }) => id);

test.each([
  ["orders", "w.main.orders"],
  ["order line", "w.main.OrderLine"],
  ["customer", "w.main.cust"],
  ["which customers are in which city?", "w.main.cust"],
  ["quantity", "w.main.OrderLine"],
  ["uberfallig", "w.main.orders"],
  ["ueberfaellig", "w.main.orders"],
  ["ΠΕΛΑΤΗΣ", "w.main.πελάτες"],
  ["κωδικος", "w.main.πελάτες"],
  ["受注", "w.main.受注明細"],
  ["数量", "w.main.受注明細"],
  ["article bought", "w.main.OrderLine"],
  ["invoice", "w.main.cust"],
  ["employes", "w.hr.salaries"],
  ["customer order header", "w.main.custOrderHdr"],
  ["custOrderHdr", "w.main.custOrderHdr"],
  ["CUST_ORDER_HDR", "w.main.custOrderHdr"],
  ["custorderhdr", "w.main.custOrderHdr"],
  ["cusotmer order haeder", "w.main.custOrderHdr"],
  ["shipments track", "w.main.shpmttrackevt"],
  ["shipment tracking event", "w.main.shpmttrackevt"],
  ["orderstatushistory", "w.main.OrderStatusHistory"],
  ["ORDER STATSU HISTORY", "w.main.OrderStatusHistory"],
  ["history of the status of orders", "w.main.OrderStatusHistory"],
  ["πελτες", "w.main.πελάτες"],
  ["明細", "w.main.受注明細"],
  ["受注明細の数量", "w.main.受注明細"],
])("%j finds %s first", async (query, expected) => {
  expect((await ids(open(), query))[0]).toBe(expected);
});

test("a join is found by its ends and its condition", async () => {
  expect(await open().find("paid", { kinds: ["join"] })).toMatchObject([{ kind: "join", id: joins[0]?.id }]);
});

test("two callers with different scopes find different tables", async () => {
  const search = open();
  const isMain = ({ schema }: { schema: string }) => schema === "main";
  expect(await ids(search, "salaries employee")).toEqual(["w.hr.salaries"]);
  expect(await ids(search, "salaries employee", { isVisible: isMain })).toEqual([]);
  const isHr = ({ schema }: { schema: string }) => schema === "hr";
  expect(await ids(search, "orders customer city", { isVisible: isHr })).toEqual([]);
  const noCustomers = ({ table }: { table: string }) => table !== "cust";
  expect(await search.find("paid", { isVisible: noCustomers })).toEqual([]);
});

test("a table that a file hides is absent at once, also while the index is older", async () => {
  const facts = new MemoryFacts(tables, joins);
  let hidden: readonly string[] = [];
  const notes = () => ({ tables: new Map(hidden.map((id) => [id, { hidden: true }])), joins: [], problems: [] });
  const files = { read: notes, version: () => hidden.join() };
  const search = open(facts, { files });
  expect(await ids(search, "orders")).toContain("w.main.orders");
  hidden = ["w.main.orders"];
  expect(await ids(search, "orders")).not.toContain("w.main.orders");
});

test("after a scan only changed tables are indexed and embedded again", async () => {
  const facts = new MemoryFacts(tables, joins);
  const embedder = new GroupEmbedder([]);
  const search = open(facts, { embedder });
  await search.update();
  const before = embedder.requests.flat().length;
  facts.replace([...tables.slice(1), makeTable("w.main.shipments", ["parcel"])]);
  await search.update();
  expect((await ids(search, "parcel"))[0]).toBe("w.main.shipments");
  expect(await ids(search, "shipped")).not.toContain("w.main.orders");
  const texts = embedder.requests.flat().slice(before);
  expect(texts.filter((text) => text.startsWith("shipments"))).toHaveLength(1);
  expect(texts.filter((text) => text.startsWith("cust"))).toEqual([]);
  await search.close();
});

test("with an embedder, a table is found by words that mean the same, and vectors are kept in a file", async () => {
  const folder = mkdtempSync(join(tmpdir(), "bridle-vectors-"));
  const vectorFile = join(folder, "vectors.sqlite");
  const embedder = new GroupEmbedder([["salaries", "remuneration", "wages"]]);
  expect(await ids(open(), "remuneration")).toEqual([]);
  for (const _ of ["first process", "second process"]) {
    const search = open(undefined, { embedder, vectorFile });
    await search.update();
    expect((await ids(search, "remuneration"))[0]).toBe("w.hr.salaries");
    await search.close();
    expect(embedder.requests.flat().filter((text) => text.startsWith("salaries"))).toHaveLength(1);
  }
  rmSync(folder, { recursive: true });
});

test("vectors that fit worse never hide a table that has the words of the query", async () => {
  const embedder = new GroupEmbedder([["custOrderHdr", "salaries", "orderline", "cust", "shpmttrackevt"]]);
  for (const query of ["customer order header", "cusotmer order haeder", "orders"]) {
    const search = open(undefined, { embedder });
    await search.update();
    expect((await ids(search, query, { limit: 1 }))[0]).toBe((await ids(open(), query, { limit: 1 }))[0]);
    await search.close();
  }
});

test("a search does not wait for vectors that are being made", async () => {
  const embedder = new GroupEmbedder([]);
  const original = embedder.embed.bind(embedder);
  const made = Promise.withResolvers<void>();
  embedder.embed = async (texts) => {
    await made.promise;
    return original(texts);
  };
  const search = open(undefined, { embedder });
  expect((await ids(search, "orders"))[0]).toBe("w.main.orders");
  expect(embedder.requests).toEqual([]);
  made.resolve();
  await search.close();
});

test("an embedder that fails leaves the search by words, and update() says why", async () => {
  const embedder = new GroupEmbedder([]);
  embedder.embed = async () => {
    throw new Error("no such model");
  };
  const warnings: string[] = [];
  const logger = { warn: (_: object, message: string) => warnings.push(message) };
  const search = open(undefined, { embedder, logger });
  expect((await ids(search, "orders"))[0]).toBe("w.main.orders");
  await expect(search.update()).rejects.toThrow("no such model");
  expect(warnings.join()).toMatch(/could not be updated: no such model|^$/);
  await search.close();
});

test("values of sensitive columns are not in the index, and not in what is embedded", async () => {
  const column = { name: "mail", sensitive: "email", ...frequent("ann@example.com") };
  const embedder = new GroupEmbedder([]);
  const search = open(new MemoryFacts([makeTable("w.main.people", [column])]), { embedder });
  await search.update();
  expect(await open(new MemoryFacts([makeTable("w.main.people", [column])])).find("ann")).toEqual([]);
  expect(embedder.requests.flat().join()).not.toContain("ann");
});

test("an empty query and an empty warehouse find nothing", async () => {
  expect(await open().find("")).toEqual([]);
  expect(await open().find("?! 💥")).toEqual([]);
  expect(await open(new MemoryFacts([])).find("orders")).toEqual([]);
});
