/**
 * A generated warehouse: the same rows in SQLite, DuckDB and PostgreSQL. No keys or links are declared. Areas are schemas, or name prefixes
 * if the engine has no schemas. 45 % of the keys start at 1 in every area, as sequences do, 35 % have numbers that occur nowhere else, and
 * 20 % are codes. 15 % of the links name a role before the target, 20 % are empty in some rows, and 10 % have up to 2 % orphans.
 */
import { kinds, sharedThings, things } from "./nouns.ts";
import { Random } from "./random.ts";

export interface FixtureSize {
  readonly tables: number;
  readonly columns: number;
  readonly foreignKeys: number;
  /** The mean number of rows per table. */
  readonly rows: number;
}

export const largeFixture: FixtureSize = { tables: 2_700, columns: 60_000, foreignKeys: 5_000, rows: 400 };

interface FixtureColumn {
  readonly name: string;
  readonly type: "INTEGER" | "VARCHAR(80)" | "DECIMAL(12,2)" | "DATE";
  /** An SQL expression over `n`, the row number. */
  readonly value: string;
}

export interface FixtureTable {
  readonly area: string;
  readonly name: string;
  readonly rows: number;
  /** Writes the key of a row. `row` is an expression for the row number. */
  readonly key: (row: string) => string;
  readonly keyType: FixtureColumn["type"];
  readonly columns: FixtureColumn[];
}

/** A single-column foreign key to the first column of a table. */
interface FixtureLink {
  readonly child: FixtureTable;
  readonly column: string;
  readonly parent: FixtureTable;
}

export interface Fixture {
  readonly tables: readonly FixtureTable[];
  readonly links: readonly FixtureLink[];
}

const tablesOfArea = 270;
const roles = "first last billing shipping main previous".split(" ");
const qualities =
  "net gross planned actual minimum maximum internal external local monthly yearly opening closing open final raw".split(
    " ",
  );
const measures = "amount weight volume price rate quantity score rank width duration share balance".split(" ");
const texts = "status label remark code colour category channel reason priority language".split(" ");
const days = "created_on changed_on due_on valid_from valid_to approved_on paid_on closed_on".split(" ");

export function planFixture({ tables: count, columns, foreignKeys, rows }: FixtureSize): Fixture {
  const random = new Random(5);
  const tables = Array.from({ length: count }, (_, at) => planTable(at, rows, random));
  const links: FixtureLink[] = [];
  for (const [at, table] of tables.entries()) {
    const start = Math.floor(at / tablesOfArea) * tablesOfArea;
    const area = tables.slice(start, start + tablesOfArea).filter((other) => other !== table);
    const wanted = share(at, foreignKeys, count);
    for (let link = 0; link < wanted; link++) links.push(addLink(table, area, random));
    const width = share(at, columns, count);
    while (table.columns.length < width) addPlain(table, random);
  }
  return { tables, links };
}

/** Returns how many of `all` belong to one of `count` parts. */
function share(at: number, all: number, count: number): number {
  return Math.floor(((at + 1) * all) / count) - Math.floor((at * all) / count);
}

function planTable(at: number, rows: number, random: Random): FixtureTable {
  const areas = Object.keys(things);
  const place = Math.floor(at / tablesOfArea);
  const area = `${areas[place % areas.length]}${place < areas.length ? "" : Math.floor(place / areas.length)}`;
  const own = [...sharedThings, ...(things[areas[place % areas.length] ?? ""] ?? [])];
  const name = [own[at % own.length], kinds[Math.floor((at % tablesOfArea) / own.length)]].filter(Boolean).join("_");
  const size = Math.max(12, Math.round(rows * 0.1 * 40 ** random.next())); // from a tenth to four times the mean
  const kind = random.next();
  const first = kind < 0.45 ? 1 : 1_000 + at * 20_000;
  const code = `${area.slice(0, 2)}${at}`.toUpperCase();
  const isCode = kind >= 0.8;
  const key = (row: string) => (isCode ? `'${code}-' || (1000 + ${row})` : `${first - 1} + ${row}`);
  const table: FixtureTable = { area, name, rows: size, key, keyType: isCode ? "VARCHAR(80)" : "INTEGER", columns: [] };
  table.columns.push({ name: `${name}_id`, type: table.keyType, value: key("n") });
  return table;
}

function addLink(table: FixtureTable, area: readonly FixtureTable[], random: Random): FixtureLink {
  for (;;) {
    const hubs = random.next() < 0.5 ? 27 : area.length;
    const parent = area[Math.floor(random.next() * Math.min(hubs, area.length))];
    const role = random.next() < 0.15 ? `${random.pick(roles)}_` : "";
    const column = `${role}${parent?.name}_id`;
    if (parent === undefined || table.columns.some(({ name }) => name === column)) continue;
    const row = `(1 + ${drawNumber(random)} % ${parent.rows})`;
    const kind = random.next();
    const orphan = parent.key(`(${parent.rows} + n)`);
    const value =
      kind < 0.2
        ? `CASE WHEN n % 7 = 3 THEN NULL ELSE ${parent.key(row)} END`
        : kind < 0.3
          ? `CASE WHEN n % 61 = 60 THEN ${orphan} ELSE ${parent.key(row)} END`
          : parent.key(row);
    table.columns.push({ name: column, type: parent.keyType, value });
    return { child: table, column, parent };
  }
}

/**
 * Writes an expression for a number from 0 to 10,006 that looks random, and repeats as random numbers do. Intermediate results stay below
 * 2^31.
 */
function drawNumber(random: Random): string {
  const [first, second] = [1 + Math.floor(random.next() * 9_999), 1 + Math.floor(random.next() * 9_999)];
  return `((n * n % 10007 * ${first} + n * ${second}) % 10007)`;
}

/** Draws a column of measures, text, names or days. */
function addPlain(table: FixtureTable, random: Random): void {
  const number = table.columns.length;
  const some = 2 + Math.floor(random.next() * 60);
  const kind = random.next();
  const quality = random.pick(qualities);
  const drawn = drawNumber(random);
  const add = (name: string, type: FixtureColumn["type"], value: string) => {
    const isUsed = table.columns.some((column) => column.name === name);
    table.columns.push({ name: isUsed ? `${name}_${number}` : name, type, value });
  };
  const addText = (words: string) => add(words.replace(" ", "_"), "VARCHAR(80)", `'${words} ' || (${drawn} % ${some})`);
  if (kind < 0.25) add(`${quality}_${random.pick(measures)}`, "INTEGER", `${drawn} % ${some}`);
  else if (kind < 0.5) add(`${quality}_${random.pick(measures)}`, "DECIMAL(12,2)", `${drawn} / 100.0`);
  else if (kind < 0.8) addText(`${quality} ${random.pick(texts)}`);
  else if (kind < 0.85) add(`${quality}_name`, "VARCHAR(80)", `'${table.name} ' || n`);
  else
    add(
      random.pick(days),
      "DATE",
      `'20' || (15 + ${drawn} % 10) || '-0' || (1 + ${drawn} % 9) || '-' || (10 + ${drawn} % 19)`,
    );
}
