/**
 * Finds links that apply only to some rows, because another column names the target table, such as `owner_id` with `owner_kind =
 * 'patient'`.
 */
import type { JoinFacts, KeyFacts } from "../facts/facts.ts";
import type { FactsDatabase } from "../facts/open-facts.ts";
import { splitName } from "../joins/names.ts";
import type { ColumnProfile } from "../joins/profile.ts";
import { describeCounts, joinOf } from "./join-ends.ts";
import { TableWords } from "./table-words.ts";
import type { ScannedTable, WarehouseChecks } from "./warehouse-checks.ts";

/** A column whose values name the table that another column of its table links to. */
interface Discriminator {
  readonly table: ScannedTable;
  readonly kind: ColumnProfile;
  /** The columns that may link, at least one. */
  readonly children: readonly ColumnProfile[];
}

interface Pair extends Omit<Discriminator, "children"> {
  readonly child: ColumnProfile;
}

/** The tables that a value of a column names. */
interface NamedTables {
  readonly value: string;
  readonly tables: readonly ScannedTable[];
}

const maxKinds = 20;

/** The minimum share of the rows with the condition that must have a parent. */
const holding = 0.98;

/**
 * Finds columns that link to several tables, where a value in another column names the table. Accepts a link if at least two of these
 * values name a table whose key contains the values of the rows. Sends one query for each value that names a table.
 */
export async function findConditionalJoins(
  tables: ReadonlyMap<string, ScannedTable>,
  keys: ReadonlyMap<string, KeyFacts>,
  joins: readonly JoinFacts[],
  facts: FactsDatabase,
  checks: WarehouseChecks,
): Promise<readonly JoinFacts[]> {
  const linked = new Set(joins.filter(({ status }) => status === "accepted").map(({ from }) => endName(from)));
  const targets = new TableWords(tables.values());
  const found: JoinFacts[] = [];
  for (const { table, kind, children } of findDiscriminators(tables)) {
    const open = children.filter(({ name }) => !linked.has(endName({ table: table.id, columns: [name] })));
    const named = open.length === 0 ? [] : findNamed(table, kind, targets, facts);
    for (const child of open) found.push(...(await checkChild({ table, kind, child }, named, tables, keys, checks)));
  }
  return found;
}

/** Finds text columns with few different values, and other columns of the same table whose names begin with the same word. */
function* findDiscriminators(tables: ReadonlyMap<string, ScannedTable>): Generator<Discriminator> {
  for (const table of tables.values()) {
    const { columns } = table.measurement.profile;
    for (const kind of columns) {
      if (kind.numbers || kind.dates || kind.hidden === true || kind.distinct < 2 || kind.distinct > maxKinds) continue;
      const [first] = splitName(kind.name);
      const children = columns.filter(
        (child) => child !== kind && child.hidden !== true && child.distinct > 1 && splitName(child.name)[0] === first,
      );
      if (children.length > 0) yield { table, kind, children };
    }
  }
}

/** Finds the tables that values name. If several schemas have a table with the name, takes the one in the column's own schema. */
function findNamed(
  table: ScannedTable,
  kind: ColumnProfile,
  targets: TableWords,
  facts: FactsDatabase,
): readonly NamedTables[] {
  const columns = facts.stored.measured(table.id, table.fingerprint)?.facts.columns ?? [];
  const values = columns.find(({ name }) => name === kind.name)?.profile?.frequent ?? [];
  return values.map(({ value }) => {
    const named = targets.namedBy(value);
    const own = named.filter(({ structure }) => structure.schema === table.structure.schema);
    return { value, tables: own.length > 0 ? own : named };
  });
}

async function checkChild(
  pair: Pair,
  named: readonly NamedTables[],
  tables: ReadonlyMap<string, ScannedTable>,
  keys: ReadonlyMap<string, KeyFacts>,
  checks: WarehouseChecks,
): Promise<readonly JoinFacts[]> {
  const own: JoinFacts[] = [];
  for (const { value, tables: parents } of named) {
    for (const parent of parents) {
      const join = await checkValue(pair, value, parent, keys.get(parent.id), tables, checks);
      if (join !== undefined) own.push(join);
    }
  }
  const status = new Set(own.map(({ to }) => to.table)).size >= 2 ? "accepted" : "review";
  return own.map((join): JoinFacts => ({ ...join, status, score: status === "accepted" ? 0.9 : 0.4 }));
}

async function checkValue(
  { table, kind, child }: Pair,
  value: string,
  parent: ScannedTable,
  key: KeyFacts | undefined,
  tables: ReadonlyMap<string, ScannedTable>,
  checks: WarehouseChecks,
): Promise<JoinFacts | undefined> {
  if (key === undefined || key.columns.length !== 1) return undefined;
  const [from, to] = [
    { table: table.id, columns: [child.name] },
    { table: parent.id, columns: key.columns },
  ];
  const condition = { column: kind.name, value };
  const counts = await checks.countOrphansWhere(from, to, condition);
  if (counts.filled === 0 || counts.orphans > (1 - holding) * counts.filled) return undefined;
  return {
    ...joinOf(from, to, tables),
    origin: "found",
    status: "review",
    score: 0,
    condition: checks.writeCondition(condition),
    ...describeCounts(counts, ["named by another column"]),
  };
}

function endName({ table, columns }: JoinFacts["from"]): string {
  return `${table} ${columns.join("\0")}`;
}
