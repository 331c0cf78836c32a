import { refuseStatement, StatementRefusedError } from "../refusals/statement-refused.ts";
import { type SqlToken, writtenName } from "../tokens/sql-token.ts";
import { applyEdits, type TextEdit } from "../tokens/text-edits.ts";
import type { TokenCursor } from "../tokens/token-cursor.ts";
import { readOrderBy, readWindow } from "./calls.ts";
import { readExpression } from "./expressions.ts";
import {
  atQuery,
  readAlias,
  readColumnNames,
  readDottedName,
  readExpressions,
  readName,
  readTableAlias,
} from "./names.ts";
import type { SelectClauses, SelectEngine, StatementReading } from "./select-clauses.ts";
import { type SelectGrammar, setOperators } from "./select-grammar.ts";
import { openText } from "./sql-reading.ts";
import { readFactor, readTableList } from "./tables.ts";

interface NamedTable {
  readonly schema: string;
  readonly table: string;
}

/** The tables that a statement may name. */
interface SelectTables {
  /**
   * Returns the table that a name refers to, and a parenthesized SELECT if that is to be read instead of the table.
   *
   * @throws StatementRefusedError
   */
  resolve(name: readonly string[]): NamedTable & { readonly relation?: string | undefined };
}

/** Writes names in the engine's syntax. */
interface NameWriter {
  quoteIdentifier(name: string): string;
  quoteTable(name: NamedTable): string;
}

/**
 * Checks that a text is exactly one read-only statement, and returns the statement without comments and with its tables replaced.
 *
 * @throws StatementRefusedError
 */
export function rewriteSelect(sql: string, engine: SelectEngine, tables: SelectTables, writer: NameWriter): string {
  const reader = new SelectReader(sql, engine, tables, writer);
  reader.statement();
  return applyEdits(sql, reader.edits).trim();
}

/** Reads one statement, and collects the edits that replace its tables. */
class SelectReader implements StatementReading {
  readonly cursor: TokenCursor;
  readonly grammar: SelectGrammar;
  readonly edits: TextEdit[];
  readonly #clauses: SelectClauses;
  readonly #tables: SelectTables;
  readonly #writer: NameWriter;
  /** The names of the visible common table expressions, one set for each query around the current position, innermost last. */
  readonly #visible: Set<string>[] = [];
  readonly #commonNames = new Set<string>();
  /** Makes the name of a recursive common table expression visible in the rest of its query. */
  #recursing: (() => void) | undefined;
  /** Tables without an alias that were replaced with a relation: `schema.table`, in lower case. Each relation has its table's name. */
  readonly #renamed = new Set<string>();
  readonly #qualified: (readonly SqlToken[])[] = [];

  constructor(sql: string, { grammar, clauses }: SelectEngine, tables: SelectTables, writer: NameWriter) {
    const { cursor, edits } = openText(sql, grammar);
    this.cursor = cursor;
    this.edits = edits;
    this.grammar = grammar;
    this.#clauses = clauses;
    this.#tables = tables;
    this.#writer = writer;
  }

  /** Reads the whole statement. */
  statement(): void {
    const { cursor } = this;
    if (!cursor.at("(") && !atQuery(this)) refuseStart(cursor.peek());
    this.query();
    while (cursor.at(";") && cursor.peek(1).kind !== "word") {
      const { start, end } = cursor.next();
      this.edits.push({ start, end, text: " " });
    }
    if (!cursor.isAtEnd) cursor.fail("the end of the statement");
    this.#shortenColumns();
  }

  expression(): void {
    readExpression(this);
  }

  factor(): void {
    const common = () => readFactor(this, this.#clauses, () => this.#table());
    if (this.#clauses.factor) this.#clauses.factor(this, common);
    else common();
  }

  query(): void {
    this.cursor.nest(() => {
      this.#visible.push(new Set());
      const recursing = this.#recursing;
      this.#recursing = undefined;
      if (this.cursor.accept("with")) this.#commonTables();
      this.#term();
      recursing?.();
      this.queryTail();
      this.#visible.pop();
    });
  }

  queryTail(): void {
    while (this.cursor.acceptAny(setOperators)) {
      if (!this.cursor.accept("all")) this.cursor.accept("distinct");
      this.#term();
    }
    readOrderBy(this);
    this.#clauses.limit?.(this);
  }

  column(parts: readonly SqlToken[], isStar: boolean): void {
    this.#clauses.checkColumn?.(parts, isStar);
    const table = isStar ? parts : parts.slice(0, -1);
    if (table.length > 1) this.#qualified.push(isStar ? [...parts, this.cursor.peek(-1)] : parts);
  }

  #term(): void {
    const { cursor } = this;
    if (cursor.accept("(")) {
      this.query();
      cursor.expect(")");
    } else if (cursor.accept("values")) this.#rows();
    else if (cursor.accept("select")) this.#select();
    else cursor.fail("SELECT");
  }

  #rows(): void {
    do {
      this.cursor.accept("row");
      this.cursor.expect("(");
      readExpressions(this);
      this.cursor.expect(")");
    } while (this.cursor.accept(","));
  }

  #commonTables(): void {
    const { cursor } = this;
    const recursive = cursor.accept("recursive") || this.#clauses.recursesAlways === true;
    const names = this.#visible.at(-1);
    do {
      const name = this.#nameOf(readName(this));
      this.#checkCommonName(name);
      if (cursor.at("(")) readColumnNames(this);
      cursor.expect("as", "(");
      // Without RECURSIVE, the name becomes visible only after its query. Within the query, it refers to the table of that name. With
      // RECURSIVE, the first SELECT of the query does not see the name.
      if (recursive) this.#recursing = () => names?.add(name);
      this.query();
      cursor.expect(")");
      names?.add(name);
    } while (cursor.accept(","));
  }

  #checkCommonName(name: string): void {
    const { refusesRepeatedNames, refusesTableNames } = this.#clauses;
    if (refusesRepeatedNames && this.#commonNames.has(name))
      refuseStatement("syntax", `Two common table expressions have the name ${name}. Give one another name.`);
    this.#commonNames.add(name);
    if (refusesTableNames && this.#isTable(name))
      refuseStatement("syntax", `The common table expression ${name} has the name of a table. Give it another name.`);
  }

  #isTable(name: string): boolean {
    try {
      this.#tables.resolve([name]);
    } catch (error) {
      if (error instanceof StatementRefusedError && error.reason === "unknown_name") return false;
    }
    return true;
  }

  #select(): void {
    const { cursor, grammar } = this;
    const { top, selectItem, beforeWhere, groupBy, afterGroups } = this.#clauses;
    while (cursor.acceptAny(grammar.selectModifiers)) {
      // Modifiers have no parts of their own.
    }
    top?.(this);
    do
      if (selectItem) selectItem(this);
      else {
        this.expression();
        readAlias(this, true);
      }
    while (cursor.accept(","));
    if (cursor.accept("from")) readTableList(this, this.#clauses);
    beforeWhere?.(this);
    if (cursor.accept("where")) this.expression();
    if (cursor.accept("group", "by"))
      if (groupBy) groupBy(this);
      else {
        readExpressions(this);
        cursor.accept("with", "rollup");
      }
    if (cursor.accept("having")) this.expression();
    if (cursor.accept("window")) this.#windows();
    afterGroups?.(this);
  }

  #windows(): void {
    do {
      readName(this);
      this.cursor.expect("as", "(");
      readWindow(this);
    } while (this.cursor.accept(","));
  }

  #table(): void {
    const { dual, tablePath, tableSuffix } = this.#clauses;
    if (dual !== undefined && this.cursor.accept(dual)) return;
    const parts = readDottedName(this);
    if (this.cursor.at("("))
      refuseStatement("effect", `The table function ${parts.map(({ raw }) => raw).join(".")} cannot be used here.`);
    const written = parts.map((part) => this.#nameOf(part));
    const names = tablePath ? tablePath(written) : written;
    const isLocal = names.length === 1 && this.#visible.some((frame) => frame.has(names[0] ?? ""));
    const edit = isLocal ? undefined : this.#replace(parts, names);
    const hasAlias = readTableAlias(this);
    tableSuffix?.(this);
    if (edit === undefined) return;
    const alias = hasAlias || !edit.isRelation ? "" : ` AS ${this.#writer.quoteIdentifier(names.at(-1) ?? "")}`;
    if (!hasAlias && edit.isRelation) this.#renamed.add(names.join(".").toLowerCase());
    this.edits.push({ start: edit.start, end: edit.end, text: edit.text + alias });
  }

  #nameOf(token: SqlToken): string {
    return (this.#clauses.nameOf ?? writtenName)(token);
  }

  #replace(parts: readonly SqlToken[], names: readonly string[]) {
    const { schema, table, relation } = this.#tables.resolve(names);
    const text = relation ?? this.#writer.quoteTable({ schema, table });
    return { start: parts[0]?.start ?? 0, end: parts.at(-1)?.end ?? 0, text, isRelation: relation !== undefined };
  }

  /** Shortens `schema.table.column` to `table.column` if a relation replaced the table, because the relation has no schema. */
  #shortenColumns(): void {
    for (const parts of this.#qualified) {
      const table = parts.slice(0, -1);
      const key = table
        .map((part) => this.#nameOf(part))
        .join(".")
        .toLowerCase();
      const [first] = table;
      const last = table.at(-1);
      if (first !== undefined && last !== undefined && this.#renamed.has(key))
        this.edits.push({ start: first.start, end: last.start, text: "" });
    }
  }
}

function refuseStart({ raw }: SqlToken): never {
  if (raw === "") refuseStatement("syntax", "The statement is empty. Send one SELECT.");
  return refuseStatement(
    "not_a_read",
    `The statement begins with "${raw.slice(0, 40)}". Only a SELECT can be sent here.`,
  );
}
