import type { StatementContext } from "../port/dialect.ts";
import { StatementRefusedError } from "../port/errors.ts";
import type { TableName } from "../port/structure.ts";
import { refuseStatement } from "./lexer.ts";
import type { SelectGrammar } from "./select-grammar.ts";
import { TableListReader } from "./table-list-reader.ts";
import { applyEdits, type SqlToken } from "./tokens.ts";

/** How a reader writes tables. */
export interface NameWriter {
  quoteIdentifier(name: string): string;
  quoteTable(name: TableName): string;
}

const setOperators = new Set(["union", "except", "intersect", "minus"]);

/** Reads queries, and replaces the tables that they name. Engines override the parts that differ. */
export abstract class QueryReader extends TableListReader {
  protected readonly context: StatementContext;
  protected readonly writer: NameWriter;
  /** The names of common table expressions that are visible, innermost last. */
  readonly #visible: Set<string>[] = [];
  /** Makes the name of a recursive common table expression visible in the rest of its query. */
  #recursing: (() => void) | undefined;
  /** Tables that were replaced by a relation under their own name: `schema.table`, in lower case. */
  readonly #renamed = new Set<string>();
  readonly #qualified: (readonly SqlToken[])[] = [];

  constructor(sql: string, grammar: SelectGrammar, context: StatementContext, writer: NameWriter) {
    super(sql, grammar);
    this.context = context;
    this.writer = writer;
  }

  /** Reads the statement, to its end. */
  statement(): void {
    if (!this.at("(") && !this.atQuery()) this.#refuseStart();
    this.query();
    while (this.at(";") && this.peek(1).kind !== "word") this.#dropSemicolon();
    if (this.peek().kind !== "end") this.fail("Expected the end of the statement");
    this.#shortenColumns();
  }

  /** The statement as it will be sent, after `statement()`. */
  rewritten(): string {
    return applyEdits(this.sql, this.edits);
  }

  #refuseStart(): never {
    const { raw } = this.peek();
    if (raw === "") refuseStatement("syntax", "The statement is empty. Send one SELECT.");
    refuseStatement("not_a_read", `The statement begins with "${raw.slice(0, 40)}". Only a SELECT can be sent here.`);
  }

  #dropSemicolon(): void {
    const { start, end } = this.next();
    this.edits.push({ start, end, text: " " });
  }

  protected query(): void {
    this.nest(() => {
      this.#visible.push(new Set());
      const recursing = this.#recursing;
      this.#recursing = undefined;
      if (this.accept("with")) this.#commonTables();
      this.#term();
      recursing?.();
      this.queryTail();
      this.#visible.pop();
    });
  }

  protected queryTail(): void {
    while (this.acceptAny(setOperators)) {
      if (!this.accept("all")) this.accept("distinct");
      this.#term();
    }
    this.orderBy();
    this.limit();
  }

  #term(): void {
    if (this.accept("(")) {
      this.query();
      this.expect(")");
    } else if (this.accept("values")) this.rows();
    else if (this.accept("select")) this.#select();
    else this.fail("Expected SELECT");
  }

  protected rows(): void {
    do {
      this.accept("row");
      this.expect("(");
      this.expressions();
      this.expect(")");
    } while (this.accept(","));
  }

  /** Whether a common table expression may name itself without RECURSIVE. */
  protected readonly recursesAlways: boolean = false;

  #commonTables(): void {
    const recursive = this.accept("recursive") || this.recursesAlways;
    const names = this.#visible.at(-1);
    do {
      const name = this.nameOf(this.name());
      this.commonTable(name);
      if (this.at("(")) this.columnNames();
      this.expect("as", "(");
      // Without RECURSIVE, the name is visible only after its query. Within the query, it is the table of that name. With RECURSIVE, the
      // first SELECT does not see the name.
      if (recursive) this.#recursing = () => names?.add(name);
      this.query();
      this.expect(")");
      names?.add(name);
    } while (this.accept(","));
  }

  /** Receives the name of each common table expression. */
  protected commonTable(_name: string): void {}

  #select(): void {
    while (this.acceptAny(this.grammar.selectModifiers)) {
      // These have no parts of their own.
    }
    this.top();
    do this.selectItem();
    while (this.accept(","));
    if (this.accept("from")) this.tableList();
    this.beforeWhere();
    if (this.accept("where")) this.expression();
    if (this.accept("group", "by")) this.groupBy();
    if (this.accept("having")) this.expression();
    if (this.accept("window")) this.#windows();
    this.afterGroups();
  }

  /** Reads the clauses between the tables and WHERE. */
  protected beforeWhere(): void {}

  /** Reads the clauses after GROUP BY, HAVING and WINDOW. */
  protected afterGroups(): void {}

  /** Reads `TOP (5)`, in engines that have it. */
  protected top(): void {}

  /** Reads the clause that limits the rows of a query, after ORDER BY. */
  protected limit(): void {}

  protected selectItem(): void {
    this.expression();
    this.alias(true);
  }

  protected groupBy(): void {
    this.expressions();
    this.accept("with", "rollup");
  }

  #windows(): void {
    do {
      this.name();
      this.expect("as", "(");
      this.window();
    } while (this.accept(","));
  }

  /** Reads the parts after a table and its alias, such as a hint. */
  protected tableSuffix(): void {}

  protected table(): void {
    if (this.dual !== undefined && this.accept(this.dual)) return;
    const parts = this.dottedName();
    if (this.at("("))
      refuseStatement("effect", `The table function ${parts.map(({ raw }) => raw).join(".")} cannot be used here.`);
    const names = this.tablePath(parts.map((part) => this.nameOf(part)));
    const isLocal = names.length === 1 && this.#visible.some((frame) => frame.has(names[0] ?? ""));
    const edit = isLocal ? undefined : this.#replace(parts, names);
    const hasAlias = this.tableAlias();
    this.tableSuffix();
    if (edit === undefined) return;
    const alias = hasAlias || !edit.isRelation ? "" : ` AS ${this.writer.quoteIdentifier(names.at(-1) ?? "")}`;
    if (!hasAlias && edit.isRelation) this.#renamed.add(names.join(".").toLowerCase());
    this.edits.push({ start: edit.start, end: edit.end, text: edit.text + alias });
  }

  /** The name in a token: as it is written, without its quotes. */
  protected nameOf({ kind, value, raw }: SqlToken): string {
    return kind === "name" ? value : raw;
  }

  /** The parts of a table's name. In some engines, a quoted name contains several. */
  protected tablePath(names: readonly string[]): readonly string[] {
    return names;
  }

  /** Refuses a common table expression with the name of a table, for engines that do not define clearly which of the two the name means. */
  protected refuseTableName(name: string): void {
    try {
      this.context.resolve([name]);
    } catch (error) {
      if (error instanceof StatementRefusedError && error.reason === "unknown_name") return;
    }
    refuseStatement("syntax", `The common table expression ${name} has the name of a table. Give it another name.`);
  }

  /** The name of the table without columns, if the engine has one. */
  protected readonly dual: string | undefined = undefined;

  #replace(parts: readonly SqlToken[], names: readonly string[]) {
    const { schema, table, relation } = this.context.resolve(names);
    const text = relation ?? this.writer.quoteTable({ schema, table });
    return { start: parts[0]?.start ?? 0, end: parts.at(-1)?.end ?? 0, text, isRelation: relation !== undefined };
  }

  protected column(parts: readonly SqlToken[], isStar: boolean): void {
    const table = isStar ? parts : parts.slice(0, -1);
    if (table.length > 1) this.#qualified.push(isStar ? [...parts, this.peek(-1)] : parts);
  }

  /** `schema.table.column` is not a valid name after its table was replaced by a relation, but `table.column` is. */
  #shortenColumns(): void {
    for (const parts of this.#qualified) {
      const table = parts.slice(0, -1);
      const key = table
        .map((part) => this.nameOf(part))
        .join(".")
        .toLowerCase();
      const [first] = table;
      const last = table.at(-1);
      if (first !== undefined && last !== undefined && this.#renamed.has(key))
        this.edits.push({ start: first.start, end: last.start, text: "" });
    }
  }
}
