/** Reads the shape of statements that people wrote. Leaves out unknown syntax and never guesses a table. */

import { QueryScope } from "./query-scope.ts";
import type { ShapeAggregate, ShapeColumn, ShapeFilter, ShapeJoin, StatementShape } from "./query-shape.ts";
import { readConditions } from "./read-conditions.ts";
import { readTableList } from "./read-table-list.ts";
import { type HistoryToken, readSqlTokens, type TokenOptions } from "./sql-tokens.ts";
import { TokenRange } from "./token-range.ts";

/** Longer statements are written by programs, and do not show how people use the tables. */
const maxChars = 200_000;
const maxLevels = 60;

const setWords = ["union", "except", "intersect", "minus"];
const clauseWords = [
  "from",
  "where",
  "group",
  "having",
  "order",
  "limit",
  "offset",
  "fetch",
  "window",
  "qualify",
  "for",
];
const aggregateNames = new Set("sum count avg min max median count_if countif approx_count_distinct".split(" "));

/** The shape of one SELECT; undefined if the text is not a SELECT. */
export function readQueryShape(sql: string, options: TokenOptions = {}): StatementShape | undefined {
  if (sql.length > maxChars) return undefined;
  const tokens = readSqlTokens(sql, options);
  if (isTooNested(tokens)) return undefined;
  const range = new TokenRange(tokens);
  const reader = new QueryShapeReader();
  for (const statement of range.split((index) => range.isSymbol(index, ";")))
    reader.query(statement, new QueryScope(), 0);
  return reader.selects > 0 ? reader.shape() : undefined;
}

/** Reading descends into each pair of parentheses. */
function isTooNested(tokens: readonly HistoryToken[]): boolean {
  let level = 0;
  return tokens.some(({ kind, value }) => {
    if (kind === "symbol" && value === "(") level += 1;
    if (kind === "symbol" && value === ")") level = Math.max(0, level - 1);
    return level > maxLevels;
  });
}

class QueryShapeReader {
  selects = 0;
  #isPlain = true;
  readonly #tables = new Map<string, readonly string[]>();
  readonly #joins: ShapeJoin[] = [];
  readonly #filters: ShapeFilter[] = [];
  readonly #aggregates: ShapeAggregate[] = [];

  shape(): StatementShape {
    const tables = [...this.#tables.values()];
    return {
      tables,
      joins: this.#joins,
      filters: this.#filters,
      aggregates: this.#aggregates,
      isSimple: this.selects === 1 && tables.length === 1 && this.#isPlain,
    };
  }

  query(range: TokenRange, outer: QueryScope, level: number): void {
    if (level > maxLevels || range.isEmpty) return;
    const scope = new QueryScope(outer);
    const body = range.isWord(range.from, "with") ? this.#commonTables(range, scope, level) : range;
    for (const term of body.split((index) => body.isWord(index, ...setWords))) {
      const start = term.isWord(term.from, "all", "distinct") ? term.slice(term.from + 1, term.to) : term;
      if (start.isSymbol(start.from, "(")) this.query(start.within(start.from), scope, level + 1);
      else if (start.isWord(start.from, "select")) this.#select(start, scope, level);
    }
  }

  /** `with a as (…), b as (…)`; returns the rest. */
  #commonTables(range: TokenRange, scope: QueryScope, level: number): TokenRange {
    let index = range.isWord(range.from + 1, "recursive") ? range.from + 2 : range.from + 1;
    while (index < range.to) {
      const name = range.at(index)?.value ?? "";
      index = range.isSymbol(index + 1, "(") ? range.skip(index + 1) : index + 1;
      if (range.isWord(index, "as")) index += 1;
      while (range.isWord(index, "not", "materialized")) index += 1;
      if (!range.isSymbol(index, "(")) break;
      scope.hide(name);
      this.query(range.within(index), scope, level + 1);
      index = range.skip(index);
      if (!range.isSymbol(index, ",")) break;
      index += 1;
    }
    return range.slice(index, range.to);
  }

  #select(range: TokenRange, outer: QueryScope, level: number): void {
    this.selects += 1;
    const scope = new QueryScope(outer);
    const clauses = clausesOf(range);
    const from = clauses.get("from");
    const list = from === undefined ? { conditions: [], nested: [] } : readTableList(from, scope);
    for (const name of scope.tables) this.#tables.set(JSON.stringify(name), name);
    for (const inner of list.nested) this.query(inner, scope, level + 1);
    const where = clauses.get("where");
    const conditions = [...list.conditions, ...(where === undefined ? [] : [where])];
    for (const condition of conditions) this.#nested(condition, scope, level);
    const { joins, filters, others } = readConditions(conditions, scope);
    const isNarrowed = ["having", "qualify", "limit", "offset", "fetch"].some((clause) => clauses.has(clause));
    if (others > 0 || isNarrowed) this.#isPlain = false;
    this.#joins.push(...(list.joins ?? []), ...joins);
    this.#filters.push(...filters);
    const selected = clauses.get("select");
    if (selected !== undefined) this.#selected(selected, scope, level);
  }

  /** Queries in parentheses, in any expression. */
  #nested(range: TokenRange, scope: QueryScope, level: number): void {
    if (level > maxLevels) return;
    for (const index of range.outer()) {
      if (!range.isSymbol(index, "(")) continue;
      const inner = range.within(index);
      if (inner.isWord(inner.from, "select", "with")) this.query(inner, scope, level + 1);
      else this.#nested(inner, scope, level + 1);
    }
  }

  #selected(range: TokenRange, scope: QueryScope, level: number): void {
    for (const item of range.split((index) => range.isSymbol(index, ","))) {
      this.#nested(item, scope, level);
      const aggregate = readAggregate(item, scope);
      if (aggregate !== undefined) this.#aggregates.push(aggregate);
    }
  }
}

/** The clauses of a SELECT, by their first word. */
function clausesOf(range: TokenRange): ReadonlyMap<string, TokenRange> {
  const clauses = new Map<string, TokenRange>();
  let [name, from] = ["select", range.from + 1];
  for (const index of range.outer()) {
    // `extract(year from t)` is within parentheses, so each of these words begins a clause
    if (index === range.from || !range.isWord(index, ...clauseWords)) continue;
    if (!clauses.has(name)) clauses.set(name, range.slice(from, index));
    name = range.at(index)?.value ?? "";
    from = index + (range.isWord(index + 1, "by") ? 2 : 1);
  }
  if (!clauses.has(name)) clauses.set(name, range.slice(from, range.to));
  return clauses;
}

/** An item that consists of one aggregate, such as `sum(f.amount) as gross`. */
function readAggregate(item: TokenRange, scope: QueryScope): ShapeAggregate | undefined {
  const start = item.isWord(item.from, "distinct") ? item.from + 1 : item.from;
  const called = item.at(start);
  if (called?.kind !== "word" || !aggregateNames.has(called.value) || !item.isSymbol(start + 1, "(")) return undefined;
  const after = item.skip(start + 1);
  const rest = item.slice(item.isWord(after, "as") ? after + 1 : after, item.to);
  const alias = item.slice(rest.from, rest.to).at(rest.from)?.value;
  if (rest.to - rest.from > 1) return undefined;
  const inner = item.within(start + 1);
  const isDistinct = inner.isWord(inner.from, "distinct");
  const argument = isDistinct ? inner.slice(inner.from + 1, inner.to) : inner;
  const isOfRows = argument.isEmpty || (argument.to - argument.from === 1 && argument.isSymbol(argument.from, "*"));
  const column: ShapeColumn | undefined = isOfRows ? undefined : scope.column(argument);
  const span = { start: item.start, end: item.end };
  return { ...span, function: called.value, isDistinct, column, isOfRows, alias };
}
