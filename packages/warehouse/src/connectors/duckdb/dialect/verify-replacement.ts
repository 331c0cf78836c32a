/** Compares a statement before and after its tables were replaced, and refuses any other difference. */
import { StatementRefusedError } from "@bridle/sql";
import { findTableNames, parseSelect } from "./parser.ts";
import { quoteFullName, type ReplacedStatement, type Replacement } from "./replace-tables.ts";
import { isObject, type SyntaxObject, textAt } from "./syntax-tree.ts";

type Pair = readonly [before: unknown, after: unknown];

/** @throws StatementRefusedError if there is another difference. */
export async function verifyReplacement(before: SyntaxObject, replaced: ReplacedStatement): Promise<void> {
  const relations = new Map<string, unknown>();
  for (const { table } of replaced.tables.values()) {
    if (table.relation === undefined || relations.has(table.relation)) continue;
    const query = await parseSelect(`SELECT * FROM ${table.relation} AS relation`);
    const from = query.from_table;
    relations.set(table.relation, isObject(from) ? from.subquery : undefined);
  }
  const after = await parseSelect(replaced.sql).catch((cause) => {
    throw refuse(cause);
  });
  const pairs: Pair[] = [[before, after]];
  for (let pair = pairs.pop(); pair !== undefined; pair = pairs.pop()) comparePair(pair, replaced, relations, pairs);
  await verifyNames(replaced);
}

function comparePair(
  [before, after]: Pair,
  replaced: ReplacedStatement,
  relations: ReadonlyMap<string, unknown>,
  pairs: Pair[],
): void {
  if (Array.isArray(before) && Array.isArray(after) && before.length === after.length) {
    for (const [index, item] of before.entries()) pairs.push([item, after[index]]);
    return;
  }
  if (!isObject(before) || !isObject(after)) {
    if (before !== after) throw refuse();
    return;
  }
  const replacement = replaced.tables.get(before);
  const expected = replacement === undefined ? before : expectTable(replacement, after, relations);
  const shortened = replaced.columns.get(before);
  pushChildren(shortened === undefined ? expected : { ...expected, column_names: shortened.names }, after, pairs);
}

function pushChildren(before: SyntaxObject, after: SyntaxObject, pairs: Pair[]): void {
  const keys = Object.keys(after);
  if (keys.length !== Object.keys(before).length) throw refuse();
  for (const key of keys) if (key !== "query_location") pairs.push([before[key], after[key]]);
}

/** Returns the expected form of a table reference after the replacement. */
function expectTable(
  { node, table, alias }: Replacement,
  after: SyntaxObject,
  relations: ReadonlyMap<string, unknown>,
): SyntaxObject {
  const names = { schema_name: table.schema, table_name: table.table, catalog_name: "" };
  if (table.relation === undefined) return { ...node, alias, ...names };
  const { sample, column_name_alias } = node;
  const subquery = relations.get(table.relation);
  if (textAt(after, "type") !== "SUBQUERY" || subquery === undefined) throw refuse();
  return { type: "SUBQUERY", alias, sample, query_location: undefined, subquery, column_name_alias };
}

/**
 * Checks that DuckDB's own search for tables finds only the inserted tables. The search adds aliases and samples to the names, and quotes
 * names with spaces.
 */
async function verifyNames(replaced: ReplacedStatement): Promise<void> {
  const expected = new Set<string>();
  for (const { table } of replaced.tables.values()) {
    for (const name of await findTableNames(`SELECT * FROM ${table.relation ?? quoteFullName(table)}`))
      expected.add(name);
  }
  for (const name of await findTableNames(replaced.sql)) {
    const isExpected = expected.has(name) || [...expected].some((plain) => name.startsWith(`${plain} `));
    if (!isExpected) throw refuse();
  }
}

function refuse(cause?: unknown): StatementRefusedError {
  return new StatementRefusedError(
    "The tables of the statement cannot be replaced safely. Write SELECT … FROM, with an alias for each table.",
    { reason: "syntax", cause },
  );
}
