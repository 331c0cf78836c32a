/** A generated warehouse as SQL statements that DuckDB, PostgreSQL and SQLite understand: the same rows in all of them. */

export interface FixtureSize {
  readonly tables: number;
  readonly columns: number;
  readonly foreignKeys: number;
  /** The mean number of rows of a table. */
  readonly rows: number;
}

export const largeFixture: FixtureSize = { tables: 2_700, columns: 60_000, foreignKeys: 5_000, rows: 400 };

interface FixtureTable {
  readonly name: string;
  readonly entity: string;
  readonly rows: number;
  readonly firstKey: number;
  readonly columns: FixtureColumn[];
}

interface FixtureColumn {
  readonly name: string;
  readonly type: "INTEGER" | "VARCHAR(80)" | "DECIMAL(12,2)" | "DATE";
  /** An expression over `n`, the number of the row. */
  readonly value: string;
}

const areas = "sales stock payroll shipping claims ledger fleet clinic permit survey".split(" ");
const things =
  "order batch invoice parcel route vessel patient ward policy payment refund contract vendor customer product bin shelf driver truck visit dose audit notice ticket lease meter reading asset repair part".split(
    " ",
  );
const kinds = ["", "header", "detail", "history", "plan", "type", "event", "note", "target"];

/** The statements that create and fill the warehouse, and its foreign keys, none of which is declared. */
export function* fixtureStatements(size: FixtureSize): Generator<string> {
  const { tables, links } = planFixture(size);
  const most = Math.max(...tables.map(({ rows }) => rows));
  yield "CREATE TABLE fixture_numbers (n INTEGER)";
  yield `INSERT INTO fixture_numbers WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < ${most}) SELECT n FROM c`;
  for (const { name, rows, columns } of tables) {
    yield `CREATE TABLE ${name} (${columns.map((column) => `${column.name} ${column.type}`).join(", ")})`;
    yield `INSERT INTO ${name} SELECT ${columns.map(({ value }) => value).join(", ")} FROM fixture_numbers WHERE n <= ${rows}`;
  }
  yield "DROP TABLE fixture_numbers";
  if (links < size.foreignKeys) throw new Error(`The fixture has only ${links} links.`);
}

/** The foreign keys of the warehouse, as `table.column → table.column`. */
export function fixtureLinks(size: FixtureSize): readonly string[] {
  return planFixture(size).names;
}

function planFixture({ tables: count, columns, foreignKeys, rows }: FixtureSize) {
  const random = numbers(5);
  const tables: FixtureTable[] = [];
  const names: string[] = [];
  for (let at = 0; at < count; at++) {
    const entity = [things[at % 30], kinds[Math.floor(at / 30) % 9]].filter(Boolean).join("_");
    const area = areas[Math.floor(at / 270) % 10] ?? "";
    const name = at < 2_700 ? `${area}_${entity}` : `${area}_${entity}_${at}`;
    const firstKey = random() < 0.7 ? 1 : Math.floor(random() * 1e6);
    const own = Math.max(8, Math.round(rows * (0.25 + 1.5 * random())));
    tables.push({ name, entity, rows: own, firstKey, columns: [] });
  }
  for (const [at, table] of tables.entries()) {
    const links = Math.floor(((at + 1) * foreignKeys) / count) - Math.floor((at * foreignKeys) / count);
    const width = Math.floor(((at + 1) * columns) / count) - Math.floor((at * columns) / count);
    addColumn(table, `${table.entity}_id`, "INTEGER", `${table.firstKey - 1} + n`);
    for (let link = 0; link < links; link++) addLink(table, tables, at, names, random);
    while (table.columns.length < width) addPlain(table, random);
  }
  return { tables, names, links: names.length };
}

function addLink(
  table: FixtureTable,
  tables: readonly FixtureTable[],
  at: number,
  names: string[],
  random: () => number,
): void {
  const area = Math.floor(at / 270) * 270;
  for (;;) {
    const target = tables[Math.min(tables.length - 1, area + Math.floor(random() * 270))];
    if (target === undefined || target === table) continue;
    const name = `${target.entity}_id`;
    if (table.columns.some((column) => column.name === name)) continue;
    const step = 7 + Math.floor(random() * 5_000);
    addColumn(table, name, "INTEGER", `${target.firstKey} + (n * ${step} + ${at}) % ${target.rows}`);
    names.push(`${table.name}.${name} → ${target.name}.${name}`);
    return;
  }
}

const words = "amount total weight status label remark code level score rank colour volume price rate quota".split(" ");

function addPlain(table: FixtureTable, random: () => number): void {
  const number = table.columns.length;
  const name = `${words[Math.floor(random() * words.length)]}_${number}`;
  const some = 2 + Math.floor(random() * 60);
  const kind = random();
  if (kind < 0.25) addColumn(table, name, "INTEGER", `(n * 13 + ${number}) % ${some}`);
  else if (kind < 0.5) addColumn(table, name, "DECIMAL(12,2)", `(n * ${some} + ${number}) / 100.0`);
  else if (kind < 0.75) addColumn(table, name, "VARCHAR(80)", `'${name} ' || (n % ${some})`);
  else if (kind < 0.85) addColumn(table, name, "VARCHAR(80)", `'${table.name} ' || n`);
  else addColumn(table, name, "DATE", `CAST('2024-0' || (1 + n % 9) || '-1' || (n % 10) AS DATE)`);
}

function addColumn(table: FixtureTable, name: string, type: FixtureColumn["type"], value: string): void {
  table.columns.push({ name, type, value });
}

function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}
