/** Links that hold only in some rows: a column whose target another column names, such as `owner_id` with `owner_kind = 'patient'`. */
import type { JoinFacts, KeyFacts } from "../facts/facts.ts";
import type { FactsDatabase } from "../facts/open-facts.ts";
import { compareWords, splitName } from "../joins/names.ts";
import type { ColumnProfile } from "../joins/profile.ts";
import { describeCounts, joinOf } from "./join-ends.ts";
import type { ScannedTable, WarehouseChecks } from "./warehouse-checks.ts";

/** A column that says which table another column of its table links to. */
interface Discriminator {
  readonly table: ScannedTable;
  readonly kind: ColumnProfile;
  readonly child: ColumnProfile;
}

const mostKinds = 20;

/** From this share of rows with a parent on, the link holds under its condition. */
const holding = 0.98;

/** Words of a value and of a table's name that fit this well name the same thing. */
const alike = 0.8;

/**
 * Finds columns that link to several tables, of which a text in another column names one. It is accepted if at least two of the texts name
 * a table whose key contains the values of these rows. One query for each text that names a table.
 */
export async function findConditionalJoins(
  tables: ReadonlyMap<string, ScannedTable>,
  keys: ReadonlyMap<string, KeyFacts>,
  joins: readonly JoinFacts[],
  facts: FactsDatabase,
  checks: WarehouseChecks,
): Promise<readonly JoinFacts[]> {
  const linked = new Set(joins.filter(({ status }) => status === "accepted").map(({ from }) => endName(from)));
  const targets = [...tables.values()].map((table) => ({ table, words: splitName(table.structure.table) }));
  const found: JoinFacts[] = [];
  for (const pair of findDiscriminators(tables)) {
    if (linked.has(endName({ table: pair.table.id, columns: [pair.child.name] }))) continue;
    const own: JoinFacts[] = [];
    for (const value of valuesOf(pair, facts)) {
      const words = splitName(value);
      for (const { table } of targets.filter((target) => namesSame(words, target.words))) {
        const join = await checkValue(pair, value, table, keys.get(table.id), tables, checks);
        if (join !== undefined) own.push(join);
      }
    }
    const status = new Set(own.map(({ to }) => to.table)).size >= 2 ? "accepted" : "review";
    found.push(...own.map((join): JoinFacts => ({ ...join, status, score: status === "accepted" ? 0.9 : 0.4 })));
  }
  return found;
}

/** Pairs of a column of few texts and another column that begin with the same word. */
function* findDiscriminators(tables: ReadonlyMap<string, ScannedTable>): Generator<Discriminator> {
  for (const table of tables.values()) {
    const { columns } = table.measurement.profile;
    for (const kind of columns) {
      if (kind.numbers || kind.dates || kind.hidden === true || kind.distinct < 2 || kind.distinct > mostKinds)
        continue;
      const [first] = splitName(kind.name);
      const children = columns.filter(
        (child) => child !== kind && child.hidden !== true && child.distinct > 1 && splitName(child.name)[0] === first,
      );
      for (const child of children) yield { table, kind, child };
    }
  }
}

function valuesOf({ table, kind }: Discriminator, facts: FactsDatabase): readonly string[] {
  const column = facts.stored
    .measured(table.id, table.fingerprint)
    ?.facts.columns.find(({ name }) => name === kind.name);
  return column?.profile?.frequent.map(({ value }) => value) ?? [];
}

function namesSame(words: readonly string[], others: readonly string[]): boolean {
  if (words.length === 0 || words.length !== others.length) return false;
  return words.every((word, at) => compareWords(word, others[at] ?? "") >= alike);
}

async function checkValue(
  { table, kind, child }: Discriminator,
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
