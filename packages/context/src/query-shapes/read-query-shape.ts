/**
 * Reads the shape of statements that people wrote: their tables, joins, filters and aggregates. Leaves out unknown syntax, and never
 * guesses a table.
 */
import {
  type LogSyntax,
  partsOf,
  type QueryTree,
  readStatementTree,
  type SelectTree,
  type SqlNode,
  type TextSpan,
  UnreadStatementError,
} from "@bridle/sql";
import { QueryScope, tableKeyOf } from "./query-scope.ts";
import type { ShapeAggregate, ShapeFilter, ShapeJoin, StatementShape } from "./query-shape.ts";
import { readConditions } from "./read-conditions.ts";

const aggregateNames = new Set("sum count avg min max median count_if countif approx_count_distinct".split(" "));

/** Returns the shape of a SELECT; undefined if the string is not a SELECT, or cannot be parsed. */
export function readQueryShape(sql: string, syntax: LogSyntax = {}): StatementShape | undefined {
  try {
    const { queries, isWriting, spanOf } = readStatementTree(sql, syntax);
    const reader = new QueryShapeReader(sql, spanOf);
    if (isWriting) return undefined;
    for (const query of queries) reader.query(query, new Set());
    return reader.shape();
  } catch (error) {
    if (error instanceof UnreadStatementError) return undefined;
    throw error;
  }
}

class QueryShapeReader {
  readonly #sql: string;
  readonly #spanOf: (term: SqlNode) => TextSpan | undefined;
  readonly #tables = new Map<string, readonly string[]>();
  readonly #joins: ShapeJoin[] = [];
  readonly #filters: ShapeFilter[] = [];
  readonly #aggregates: ShapeAggregate[] = [];
  #selects = 0;
  #isPlain = true;

  constructor(sql: string, spanOf: (term: SqlNode) => TextSpan | undefined) {
    this.#sql = sql;
    this.#spanOf = spanOf;
  }

  shape(): StatementShape {
    const tables = [...this.#tables.values()];
    return {
      tables,
      joins: this.#joins,
      filters: this.#filters,
      aggregates: this.#aggregates,
      isSimple: this.#selects === 1 && tables.length === 1 && this.#isPlain,
    };
  }

  query({ common, selects }: QueryTree, outerNames: ReadonlySet<string>, outer?: QueryScope): void {
    const hidden = new Set(outerNames);
    for (const { name, query } of common) {
      hidden.add(name.toLowerCase());
      this.query(query, hidden, outer);
    }
    for (const select of selects) this.#select(select, hidden, outer);
  }

  #select(select: SelectTree, hidden: ReadonlySet<string>, outer: QueryScope | undefined): void {
    this.#selects += 1;
    const scope = new QueryScope(select.sources, hidden, outer);
    for (const table of scope.tables) this.#tables.set(tableKeyOf(table), table);
    for (const source of select.sources) if (source.kind === "query") this.query(source.query, hidden, scope);
    for (const node of select.conditions) this.#subqueries(node, hidden, scope);
    for (const { node } of select.items) this.#subqueries(node, hidden, scope);
    // Another source, such as a function or the same table again, may repeat rows.
    if (select.isNarrowed || select.sources.length > 1) this.#isPlain = false;
    this.#joins.push(...joinsByName(select, scope));
    for (const condition of select.conditions) {
      const { joins, filters, others } = readConditions(condition, scope, this.#spanOf);
      if (others > 0) this.#isPlain = false;
      this.#joins.push(...joins);
      this.#filters.push(...filters.filter((filter) => this.#beginsWithColumn(filter)));
      if (!filters.every((filter) => this.#beginsWithColumn(filter))) this.#isPlain = false;
    }
    this.#aggregates.push(...select.items.flatMap((item) => readAggregate(item, scope) ?? []));
  }

  /**
   * Whether a filter's text begins with its column. `(a) = 1` does not. Neither does `NOT a IN (1)`, because its text from the column
   * onwards means the opposite.
   */
  #beginsWithColumn({ start }: TextSpan): boolean {
    return /^(?!not\b)[\p{L}_"`[]/iu.test(this.#sql.slice(start, start + 4));
  }

  #subqueries(node: SqlNode, hidden: ReadonlySet<string>, scope: QueryScope): void {
    if (node.kind === "query") this.query(node.query, hidden, scope);
    else for (const part of partsOf(node)) this.#subqueries(part, hidden, scope);
  }
}

/** Returns the joins that USING defines. */
function joinsByName({ using }: SelectTree, scope: QueryScope): readonly ShapeJoin[] {
  return [...Map.groupBy(using, ({ source }) => source)].flatMap(([source, columns]) => {
    const [left, right] = [scope.sources[source - 1], scope.sources[source]];
    const [first] = columns;
    if (left === undefined || right === undefined || first === undefined) return [];
    const of = (table: readonly string[]) => columns.map(({ column }) => ({ table, column }));
    return [{ start: first.start, end: first.end, from: of(left), to: of(right), isConditional: false }];
  });
}

/** Reads a selected expression that consists of one aggregate, such as `sum(f.amount) as gross`. */
function readAggregate(
  { node, alias, start, end }: SelectTree["items"][number],
  scope: QueryScope,
): ShapeAggregate | undefined {
  if (node.kind !== "call" || !aggregateNames.has(node.name) || node.isWindow || node.filter) return undefined;
  const { name, isDistinct, args } = node;
  const [arg] = args;
  const isOfRows = arg === undefined || (arg.kind === "star" && arg.path === undefined && args.length === 1);
  const column = arg?.kind === "column" && args.length === 1 ? scope.column(arg.path) : undefined;
  return { start, end, function: name, isDistinct, column, isOfRows, alias };
}
