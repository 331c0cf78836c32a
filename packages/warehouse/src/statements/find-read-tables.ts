/** Finds the tables that a view reads, from its definition. */
import { readTokens, StatementRefusedError, type TokenRules } from "@bridle/sql";
import type { SqlDialect } from "../port/dialect.ts";
import type { ReadTables, TableName } from "../port/structure.ts";

/** Tables and views by name, ignoring case. `find` returns all of them that a name may refer to. */
export class NamedTables {
  readonly #tables: ReadonlyMap<string, readonly TableName[]>;

  constructor(tables: readonly TableName[]) {
    this.#tables = Map.groupBy(tables, ({ schema, table }) => keyOf(schema, table));
  }

  find(schema: string | undefined, table: string | undefined): readonly TableName[] {
    if (schema === undefined || table === undefined) return [];
    const found = this.#tables.get(keyOf(schema, table)) ?? [];
    return found.map((name) => ({ schema: name.schema, table: name.table }));
  }
}

function keyOf(schema: string, table: string): string {
  return JSON.stringify([schema.toLowerCase(), table.toLowerCase()]);
}

/**
 * Finds the tables that a view's SELECT reads, by means of the dialect's check. `resolve` returns all tables that a name may refer to. The
 * result is `unknown` if `resolve` returns no table for a name, or if the check refuses the SELECT, for example because of a function that
 * may read any table.
 */
export async function findReadTables(
  { check }: Pick<SqlDialect, "check">,
  select: string,
  resolve: (name: readonly string[]) => readonly TableName[],
): Promise<ReadTables> {
  const found: (readonly TableName[])[] = [];
  try {
    await check(select, {
      resolve(name) {
        const tables = resolve(name);
        found.push(tables);
        return tables[0] ?? { schema: name.at(-2) ?? "", table: name.at(-1) ?? "" };
      },
    });
  } catch (error) {
    if (error instanceof StatementRefusedError) return "unknown";
    throw error;
  }
  return found.every((tables) => tables.length > 0) ? found.flat() : "unknown";
}

/** Returns the SELECT of a definition such as `CREATE VIEW name (columns) AS SELECT …`; empty if it has none. */
export function selectOfView(definition: string, rules: TokenRules): string {
  const text = definition.trim().replace(/;$/, "");
  try {
    let depth = 0;
    for (const { kind, value, end } of readTokens(text, rules).tokens) {
      if (kind === "symbol" && value === "(") depth++;
      if (kind === "symbol" && value === ")") depth--;
      if (kind === "word" && value === "as" && depth === 0) return text.slice(end);
    }
  } catch (error) {
    if (!(error instanceof StatementRefusedError)) throw error;
  }
  return "";
}
