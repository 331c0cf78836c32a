import { applyEdits, refuseStatement, type SqlToken, type TextEdit, writtenName } from "@bridle/sql";
import type { ResolvedTable, StatementContext } from "../../../port/dialect.ts";
import { quoteSqliteName } from "../quote.ts";

/** SQLite's internal tables. */
const internal = /^(sqlite_|pragma_|dbstat$|bytecode$|tables_used$)/i;

/** The tables that a statement names, and their replacements. */
export class TableReferences {
  readonly #resolve: StatementContext["resolve"];
  readonly #edits: TextEdit[] = [];

  constructor(resolve: StatementContext["resolve"]) {
    this.#resolve = resolve;
  }

  resolve(parts: readonly SqlToken[]): ResolvedTable {
    const name = parts.map(writtenName);
    if (internal.test(name.at(-1) ?? ""))
      refuseStatement("outside_scope", `The table ${name.join(".")} is internal to SQLite and may not be read.`);
    return this.#resolve(name);
  }

  /**
   * Replaces a table. A relation without an alias gets the name that the statement uses for the table, so that column references with this
   * name stay valid.
   */
  replace(parts: readonly SqlToken[], { schema, table, relation }: ResolvedTable, hasAlias: boolean): void {
    const last = parts.at(-1);
    if (last === undefined) return;
    const full = `${quoteSqliteName(schema)}.${quoteSqliteName(table)}`;
    const alias = relation === undefined || hasAlias ? "" : ` AS ${quoteSqliteName(writtenName(last))}`;
    this.#edits.push({ start: parts[0]?.start ?? last.start, end: last.end, text: ` ${relation ?? full}${alias} ` });
  }

  remove(tokens: readonly SqlToken[]): void {
    const [first] = tokens;
    const last = tokens.at(-1);
    if (first !== undefined && last !== undefined) this.#edits.push({ start: first.start, end: last.end, text: " " });
  }

  /** Returns the statement with its tables replaced. */
  rewrite(statement: string): string {
    return applyEdits(statement, this.#edits);
  }
}
