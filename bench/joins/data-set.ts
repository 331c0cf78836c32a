import { join } from "node:path";
import { type FoundJoins, findCandidates, judgeCandidates } from "../../packages/context/src/joins/find-joins.ts";
import type { ColumnSet, JoinChecks } from "../../packages/context/src/joins/profile.ts";
import type { TableRows } from "../../packages/context/src/joins/profile-rows.ts";
import type { JoinModelSets } from "../../packages/context/src/joins/scores/models.ts";
import { type Family, generate } from "./families/families.ts";
import type { Labelled } from "./fit-models.ts";
import { type Gold, readGold, withoutRows } from "./gold.ts";
import { hideNames } from "./hide-names.ts";
import { perturbations, rearrangements } from "./perturb/perturbations.ts";
import { profileTables, type ReadDatabase, readTables } from "./read-database.ts";
import type { Judged } from "./report.ts";
import { groupVariants } from "./variants.ts";

/** Tables with known keys and links, and the candidates for keys and links that were found in them. */
export interface DataSet extends Labelled {
  readonly name: string;
  readonly rows: readonly TableRows[];
  readonly database: ReadDatabase;
  /** Answers questions about the tables that have meaningless names. */
  readonly unnamedChecks: JoinChecks;
  /** The number of questions that the search for candidates asked. */
  readonly queries: number;
}

/** Reads the data sets of a folder. Variants of one database are one family. */
export async function readDataSets(folder: string, names: readonly string[]): Promise<readonly DataSet[]> {
  const sets: DataSet[] = [];
  for (const name of names) {
    const rows = readTables(join(folder, name, "data.sqlite"));
    sets.push(await describeDataSet({ name, family: name }, rows, rows, readGold(join(folder, name))));
  }
  const groups = groupVariants(names, (name) => sets.find((set) => set.name === name)?.database.tables ?? []);
  return sets.map((set) => ({ ...set, family: groups.find((group) => group.includes(set.name))?.[0] ?? set.name }));
}

/** Generates a database. All databases of one kind count as one family. */
export async function generateDataSet(family: Family, seed: number): Promise<DataSet> {
  const { tables, gold } = generate(family, seed);
  const names = { name: `${family.name} ${seed}`, family: family.draw.name };
  return describeDataSet(names, tables, generate({ ...family, change: keep }, seed).tables, gold);
}

const keep = (tables: readonly TableRows[]) => tables;

/** Copies the data set with other names or values. */
export async function perturbDataSet(set: DataSet, perturbation: string): Promise<DataSet> {
  const { rows, gold } = set;
  const { tables: original, gold: known } = rearrangements[perturbation]?.(rows, gold) ?? { tables: rows, gold };
  const changed = perturbations[perturbation]?.(original, known) ?? original;
  const emptied = changed.filter((table, at) => table.rows.length === 0 && rows[at]?.rows.length !== 0);
  const empty = new Set(emptied.map(({ id }) => id.toLowerCase()));
  const rest = withoutRows(known, (table) => empty.has(table.toLowerCase()));
  return describeDataSet(set, changed, original, rest);
}

async function describeDataSet(
  { name, family }: Pick<DataSet, "name" | "family">,
  rows: readonly TableRows[],
  original: readonly TableRows[],
  gold: Gold,
): Promise<DataSet> {
  const database = profileTables(rows);
  const candidates = await findCandidates(database.tables, database.checks);
  const queries = database.countQueries();
  const hidden = hideNames(database);
  const unnamed = await findCandidates(hidden.tables, hidden.checks);
  const names = new Map(original.map(({ id, columns }) => [id, columns.map((column) => column.name)]));
  return { name, family, gold, rows, database, queries, candidates, unnamed, unnamedChecks: hidden.checks, names };
}

export async function judgeDataSet(set: DataSet, models: JoinModelSets): Promise<Judged> {
  const before = set.database.countQueries();
  const found = await judgeCandidates(set.candidates, models, set.database.checks);
  const queries = set.queries + set.database.countQueries() - before;
  return { name: set.name, gold: set.gold, found: restoreNames(found, set), tables: set.rows.length, queries };
}

/** Returns the found keys and links with the original data set's names. */
function restoreNames(found: FoundJoins, { rows, names }: DataSet): FoundJoins {
  const original = new Map(
    rows.flatMap(({ id, columns }) =>
      columns.map(({ name }, at) => [`${id} ${name}`, names.get(id)?.[at] ?? name] as const),
    ),
  );
  const restore = <T extends ColumnSet>(set: T): T => ({
    ...set,
    columns: set.columns.map((name) => original.get(`${set.table} ${name}`) ?? name),
  });
  return {
    keys: found.keys.map(restore),
    links: found.links.map((link) => ({ ...link, from: restore(link.from), to: restore(link.to) })),
  };
}
