import { expect, test } from "vitest";
import { type FoundJoins, findJoins } from "./find-joins.ts";
import type { JoinChecks } from "./profile.ts";
import { checkRows, profileRows, type TableRows } from "./profile-rows.ts";

test("columns with a prefix for each table are linked to the table that they are named for", async () => {
  const found = await search(
    table(
      "vessel",
      "v_vesselkey v_label v_tons",
      rows(40, (n) => [n, `vessel ${n}`, n * 12.5]),
    ),
    table(
      "harbour",
      "h_harbourkey h_label h_depth",
      rows(25, (n) => [n, `harbour ${n}`, n * 0.75]),
    ),
    table(
      "calls",
      "c_callkey c_vesselkey c_harbourkey c_fee",
      rows(200, (n) => [n, pick(n, 7, 40), pick(n, 11, 25), n / 8]),
    ),
  );
  expect(linksOf(found)).toEqual([
    "calls.c_harbourkey → harbour.h_harbourkey",
    "calls.c_vesselkey → vessel.v_vesselkey",
  ]);
  expect(keysOf(found)).toEqual(["calls.c_callkey", "harbour.h_harbourkey", "vessel.v_vesselkey"]);
});

test("several columns of one table link to the same table by their roles", async () => {
  const found = await search(
    table(
      "depots",
      "depot_id town",
      rows(30, (n) => [n + 100, `town ${n}`]),
    ),
    table(
      "parcels",
      "parcel_id sender_depot_id target_depot_id grams",
      rows(150, (n) => [n + 5000, 101 + pick(n, 7, 30), 100 + pick(n, 13, 30), n * 3.5]),
    ),
  );
  expect(linksOf(found)).toEqual([
    "parcels.sender_depot_id → depots.depot_id",
    "parcels.target_depot_id → depots.depot_id",
  ]);
});

test("a table links to itself if a column is named for its key", async () => {
  const found = await search(
    table(
      "folders",
      "folder_id parent_folder_id title",
      rows(60, (n) => [n + 300, n < 3 ? null : 300 + pick(n, 1, n), `f ${n}`]),
    ),
    table(
      "files",
      "file_id folder_id bytes",
      rows(120, (n) => [n + 9000, 300 + pick(n, 7, 60), n * 1.5]),
    ),
  );
  expect(linksOf(found)).toEqual([
    "files.folder_id → folders.folder_id",
    "folders.parent_folder_id → folders.folder_id",
  ]);
});

test("the key of a link table consists of the columns that link", async () => {
  const found = await search(
    table(
      "singers",
      "singer_id name",
      rows(40, (n) => [n + 10, `singer ${n}`]),
    ),
    table(
      "choirs",
      "choir_id name",
      rows(12, (n) => [n + 700, `choir ${n}`]),
    ),
    table(
      "choir_singers",
      "choir_id singer_id",
      rows(240, (n) => [700 + pick(n, 1, 12), 10 + Math.floor((n - 1) / 12) * 2]),
    ),
  );
  expect(linksOf(found)).toEqual([
    "choir_singers.choir_id → choirs.choir_id",
    "choir_singers.singer_id → singers.singer_id",
  ]);
  expect(keysOf(found)).toContain("choir_singers.choir_id+singer_id");
});

test("columns that only together identify a row of the parent are one link", async () => {
  const lines = rows(30, (n) => [n + 400]).flatMap(([ledger]) =>
    rows(2 + pick(Number(ledger), 3, 5), (line) => [Number(ledger), line]),
  );
  const found = await search(
    table(
      "ledgers",
      "ledger_no line_no amount",
      lines.map((line, at) => [...line, at * 1.25 + 0.5]),
    ),
    table(
      "corrections",
      "correction_no ledger_no line_no reason",
      rows(70, (n) => [n + 8000, ...(lines[pick(n, 17, lines.length) - 1] ?? []), `because ${n}`]),
    ),
  );
  expect(linksOf(found)).toEqual(["corrections.ledger_no+line_no → ledgers.ledger_no+line_no"]);
  const [link] = found.links.filter(({ status }) => status === "accepted");
  expect(link?.evidence).toMatchObject({
    coverage: 1,
    violations: 0,
    signals: ["several columns", "all values found"],
  });
});

test("a link with 3 % orphans is reported with their number and examples", async () => {
  const found = await search(
    table(
      "growers",
      "grower_id farm",
      rows(50, (n) => [n + 20, `farm ${n}`]),
    ),
    table(
      "crates",
      "crate_id grower_id kilos",
      rows(200, (n) => [n + 4000, n % 34 === 0 ? 900 + n : 20 + pick(n, 7, 50), n * 0.5]),
    ),
  );
  expect(linksOf(found)).toEqual(["crates.grower_id → growers.grower_id"]);
  const [link] = found.links;
  expect(link?.evidence).toMatchObject({ violations: 5, examples: ["934", "968", "1002"], coverage: 0.975 });
  expect(link?.evidence.signals).toContain("some values missing");
});

test("blank texts count as missing, and numbers in texts as numbers", async () => {
  const found = await search(
    table(
      "wards",
      "ward_id floor",
      rows(30, (n) => [n + 60, `floor ${n}`]),
    ),
    table(
      "beds",
      "bed_id ward_id note",
      rows(90, (n) => [n + 800, n % 5 === 0 ? "  " : `${60 + pick(n, 7, 30)} `, `n ${n}`]),
    ),
  );
  expect(linksOf(found)).toEqual(["beds.ward_id → wards.ward_id"]);
  expect(found.links[0]?.evidence).toMatchObject({ coverage: 1, violations: 0 });
});

test("empty tables have no keys and no links", async () => {
  const found = await search(
    table("ships", "ship_id name", []),
    table("captains", "captain_id ship_id", []),
    table(
      "ports",
      "port_id name",
      rows(20, (n) => [n, `port ${n}`]),
    ),
  );
  expect(linksOf(found)).toEqual([]);
  expect(keysOf(found)).toEqual(["ports.port_id"]);
});

test("a schema without tables has no joins", async () => {
  expect(await search()).toEqual({ keys: [], links: [] });
});

test("small consecutive integers are not linked only because one range contains the other", async () => {
  const found = await search(
    table(
      "guests",
      "guest_id name",
      rows(80, (n) => [n, `guest ${n}`]),
    ),
    table(
      "menus",
      "menu_id title stars",
      rows(40, (n) => [n, `menu ${n}`, pick(n, 3, 5)]),
    ),
    table(
      "rooms",
      "room_id beds nights",
      rows(60, (n) => [n, pick(n, 3, 4), pick(n, 7, 31)]),
    ),
  );
  expect(linksOf(found)).toEqual([]);
  expect(keysOf(found)).toEqual(["guests.guest_id", "menus.menu_id", "rooms.room_id"]);
});

test("Greek identifiers are split and compared", async () => {
  const found = await search(
    table(
      "πελάτες",
      "πελάτης_κωδικός επωνυμία",
      rows(50, (n) => [n + 30, `όνομα ${n}`]),
    ),
    table(
      "παραγγελίες",
      "παραγγελία_κωδικός πελάτης_κωδικός αξία",
      rows(150, (n) => [n + 7000, 30 + pick(n, 7, 50), n * 2.5]),
    ),
  );
  expect(linksOf(found)).toEqual(["παραγγελίες.πελάτης_κωδικός → πελάτες.πελάτης_κωδικός"]);
});

test("Japanese identifiers are split and compared", async () => {
  const found = await search(
    table(
      "顧客",
      "顧客_番号 氏名",
      rows(50, (n) => [n + 30, `名 ${n}`]),
    ),
    table(
      "注文",
      "注文_番号 顧客_番号 金額",
      rows(150, (n) => [n + 7000, 30 + pick(n, 7, 50), n * 2.5]),
    ),
  );
  expect(linksOf(found)).toEqual(["注文.顧客_番号 → 顧客.顧客_番号"]);
});

test("a search asks at most three questions for each table and one for each link that it reports", async () => {
  const tables = [
    table(
      "vats",
      "vat_id litres",
      rows(40, (n) => [n + 70, n * 2.5]),
    ),
    table(
      "brews",
      "brew_id vat_id malt",
      rows(90, (n) => [n + 900, 70 + pick(n, 7, 40), `malt ${n}`]),
    ),
  ];
  const exact = checkRows(tables);
  const asked = { counts: 0, links: 0 };
  const checks: JoinChecks = {
    countTuples(...args) {
      asked.counts++;
      return exact.countTuples(...args);
    },
    countOrphans(...args) {
      asked.links++;
      return exact.countOrphans(...args);
    },
  };
  const found = await findJoins(tables.map(profileRows), checks);
  expect(asked.counts).toBeLessThanOrEqual(3 * tables.length);
  expect(asked.links).toBeLessThanOrEqual(found.links.length);
});

function search(...tables: readonly TableRows[]): Promise<FoundJoins> {
  return findJoins(tables.map(profileRows), checkRows(tables));
}

/** Creates a table. `columns` is one string with all column names. */
function table(name: string, columns: string, values: readonly (readonly unknown[])[]): TableRows {
  const types = columns.split(" ").map((column, at) => ({ name: column, type: typeOf(values[0]?.[at]) }));
  return { id: `shop.${name}`, name, columns: types, rows: values };
}

function typeOf(value: unknown): string {
  if (typeof value === "string") return "TEXT";
  return Number.isInteger(value) ? "INTEGER" : "REAL";
}

function rows(count: number, row: (n: number) => readonly unknown[]): readonly (readonly unknown[])[] {
  return Array.from({ length: count }, (_, at) => row(at + 1));
}

/** Returns a number from 1 to `max` that looks random. */
function pick(n: number, factor: number, max: number): number {
  return ((n * factor + Math.floor(n / max)) % max) + 1;
}

function linksOf({ links }: FoundJoins): readonly string[] {
  const accepted = links.filter(({ status }) => status === "accepted");
  return accepted.map(({ from, to }) => `${idOf(from)} → ${idOf(to)}`).sort();
}

function keysOf({ keys }: FoundJoins): readonly string[] {
  return keys.map(idOf).sort();
}

function idOf({ table: id, columns }: { readonly table: string; readonly columns: readonly string[] }): string {
  return `${id.replace("shop.", "")}.${columns.join("+")}`;
}

test("of tables with one name in two schemas, a link leads to the one in its own schema", async () => {
  const clients = (first: number) => rows(40, (n) => [first + n, `client ${n}`]);
  const visits = (first: number) => rows(160, (n) => [n, first + pick(n, 7, 40)]);
  const inSchema = (schema: string, own: TableRows) => ({ ...own, id: `${schema}.${own.name}`, schema });
  const tables = ["north", "south"].flatMap((schema) => [
    inSchema(schema, table("clients", "client_id label", clients(300))),
    inSchema(schema, table("visits", "visit_id client_id", visits(300))),
  ]);
  const profiles = tables.map((own) => ({ ...profileRows(own), schema: own.schema }));
  const found = await findJoins(profiles, checkRows(tables));
  expect(linksOf(found)).toEqual([
    "north.visits.client_id → north.clients.client_id",
    "south.visits.client_id → south.clients.client_id",
  ]);
});

test("a column with one value links to a key only if its name says so", async () => {
  const found = await search(
    table(
      "clients",
      "id label year level",
      rows(3000, (n) => [n, `client ${n}`, n === 7 ? null : 2024, n === 7 ? null : 5]),
    ),
    table(
      "visits",
      "visit_id client_id currency_code",
      rows(400, (n) => [n + 9000, pick(n, 7, 3000), "EUR"]),
    ),
    table(
      "currencies",
      "currency_code label",
      rows(30, (n) => [n === 3 ? "EUR" : `C${n + 10}`, `currency ${n}`]),
    ),
  );
  expect(linksOf(found)).toEqual(["visits.client_id → clients.id", "visits.currency_code → currencies.currency_code"]);
  expect(found.links.filter(({ from }) => from.table === "shop.clients")).toEqual([]);
});
