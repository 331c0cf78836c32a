/** Finds where a statement counts the same row more than once, using its text and the scan's measurements. */
import { formatCount } from "@bridle/protocol";
import {
  logSyntaxOf,
  partsOf,
  type QueryTree,
  readStatementTree,
  type SelectTree,
  type SourceTree,
  type SqlCall,
  type SqlNode,
  UnreadStatementError,
} from "@bridle/sql";
import type { DialectId } from "@bridle/warehouse";
import { type Repeater, type SourceRelation, unknownRelation } from "./relation.ts";
import { SelectScope, type Source } from "./select-scope.ts";

/** Rows that a statement reads more than once. */
export interface MultipliedRows {
  /** The aggregation, such as `sum`. Missing if the statement returns the rows themselves. */
  readonly aggregate?: string | undefined;
  /** The table whose rows are repeated; missing if the rows of all tables are. */
  readonly table?: string | undefined;
  readonly by: Repeater;
}

/** Finds the table for a name in the statement. Undefined if nothing is known about it. */
export type FindRelation = (path: readonly string[]) => SourceRelation | undefined;

/** Aggregations that change if a row occurs twice. */
const counting = new Set(
  "sum total avg mean count median stddev stddev_pop stddev_samp std variance var_pop var_samp sumif countif count_if sum_if avgif".split(
    " ",
  ),
);
const maxFindings = 5;

/**
 * Finds where a statement multiplies rows: an aggregation over rows that a join repeats, or a result that may repeat each row of each
 * table. The result includes aggregations over rows that a join may repeat. Empty for statements that cannot be parsed.
 *
 * @example findMultipliedRows("SELECT sum(o.total) FROM orders o JOIN items i ON i.order_id = o.id", "postgres", find); // [{ aggregate:
 * "sum", table: "w.public.orders", by: { table: "w.public.items", columns: ["order_id"], … } }]
 */
export function findMultipliedRows(sql: string, dialect: DialectId, find: FindRelation): readonly MultipliedRows[] {
  const reader = new MultiplicityReader(find);
  try {
    const { queries } = readStatementTree(sql, logSyntaxOf(dialect));
    for (const query of queries) reader.query(query, new Map(), true);
  } catch (error) {
    if (error instanceof UnreadStatementError) return [];
    throw error;
  }
  const unique = new Map(reader.found.map((each) => [JSON.stringify(each), each]));
  return [...unique.values()].slice(0, maxFindings);
}

/** Describes the rows in one sentence for users and models. */
export function describeMultiplied(found: MultipliedRows): string {
  return found.by.certainty === "unknown" ? describeUnknown(found) : describeKnown(found);
}

/** Whether there is evidence that rows are repeated. False if it is only unknown whether they are. */
export function isShown({ by }: MultipliedRows): boolean {
  return by.certainty !== "unknown";
}

function describeUnknown({ aggregate = "the result", table, by }: MultipliedRows): string {
  const owner = nameOf(by.table);
  const what = table === undefined ? "rows of all its tables" : `rows of ${nameOf(table)}`;
  const columns = by.columns.length === 0 ? "" : ` by ${by.columns.join(", ")}`;
  const unknown = by.isCompared
    ? `at most one row of ${owner} matches${columns}`
    : `${by.columns.length === 0 ? owner : `${owner}.${by.columns.join(", ")}`} ${by.columns.length === 0 ? "has one row" : "is unique"}`;
  return `It is unknown whether ${unknown}. If not, this statement repeats ${what}, and ${aggregate} counts them more than once. Compare the number of rows with and without ${owner}.`;
}

function describeKnown({ aggregate, table, by }: MultipliedRows): string {
  const { rows, values, certainty } = by;
  const owner = nameOf(by.table);
  const can = certainty === "certain" ? "" : "can ";
  const repeats = certainty === "certain" ? "repeats" : "repeat";
  const what = table === undefined ? "rows of all its tables" : `rows of ${nameOf(table)}`;
  const counts =
    rows === undefined || values === undefined ? "" : ` (${formatCount(rows)} rows, ${formatCount(values)} values)`;
  const why =
    by.columns.length === 0
      ? `nothing joins ${owner}, so each row meets each of its rows`
      : `${owner}.${by.columns.join(", ")} ${by.columns.length > 1 ? "together are" : "is"} not unique${counts}`;
  const so = aggregate === undefined ? "" : `, so ${aggregate} ${can}count${can === "" ? "s" : ""} them more than once`;
  return `This statement ${can}${repeats} ${what}: ${why}${so}. Aggregate ${owner} first, join on all columns of a key, or use EXISTS.`;
}

function nameOf(table: string): string {
  return table.split(".").slice(-1).join(".");
}

type Common = ReadonlyMap<string, SourceRelation>;

class MultiplicityReader {
  readonly found: MultipliedRows[] = [];
  readonly #find: FindRelation;

  constructor(find: FindRelation) {
    this.#find = find;
  }

  query({ common, selects, isDistinct }: QueryTree, outer: Common, isResult: boolean): SourceRelation {
    const names = new Map(outer);
    for (const { name, query } of common) {
      names.set(name.toLowerCase(), unknownRelation(name)); // a recursive query reads itself
      names.set(name.toLowerCase(), { ...this.query(query, names, false), name });
    }
    const relations = selects.map((select) => this.#select(select, names, isResult));
    const [first = unknownRelation("")] = relations;
    if (relations.length === 1) return first;
    const columns = first.columns;
    const keys = isDistinct && columns !== undefined ? [[...columns]] : [];
    return { ...unknownRelation(""), columns, keys };
  }

  #select(select: SelectTree, names: Common, isResult: boolean): SourceRelation {
    const sources = select.sources.map((source) => this.#source(source, names));
    const scope = new SelectScope(select, sources);
    for (const node of nodesOf(select)) this.#subqueries(node, names);
    const groups = select.groups.map((node) => meantBy(node, select));
    const isGrouped = select.groups.length > 0 || select.groupsAll;
    const fixed = groups.flatMap((node) => classIn(node, scope));
    const calls = [...select.items.map(({ node }) => node), ...(select.having ? [select.having] : [])].flatMap(callsOf);
    for (const call of calls) this.#call(call, scope, call.isWindow ? [] : fixed);
    const isAggregated = isGrouped || calls.some(({ isWindow, name }) => !isWindow && isAggregate(name));
    const partners = sources.map((_, at) => scope.partnersOf(at));
    const isMerged = isAggregated || select.isDistinct || select.distinctOn.length > 0 || select.isOneRow;
    const repeatedRows = sources.length > 1 ? repeaterOfAll(partners) : sources[0]?.relation.repeatedRows;
    if (isResult && !isMerged && sources.length > 1 && repeatedRows) this.found.push({ by: repeatedRows });
    return new OutputReader(select, scope, groups, isGrouped, isAggregated).read(isMerged ? undefined : repeatedRows);
  }

  #source(source: SourceTree, names: Common): Source {
    const { isPartial } = source;
    const alias = source.alias?.toLowerCase();
    if (source.kind === "query")
      return {
        name: alias ?? "",
        relation: { ...this.query(source.query, names, false), name: source.alias ?? "the subquery" },
        isPartial,
      };
    if (source.kind === "other") return { name: alias ?? "", relation: unknownRelation(""), isPartial };
    const own = source.path.at(-1)?.toLowerCase() ?? "";
    const common = source.path.length === 1 ? names.get(own) : undefined;
    const relation = common ?? this.#find(source.path) ?? unknownRelation(own, true);
    return { name: alias ?? own, relation, isPartial };
  }

  #subqueries(node: SqlNode, names: Common): void {
    if (node.kind === "query") this.query(node.query, names, false);
    else for (const part of partsOf(node)) this.#subqueries(part, names);
  }

  #call(call: SqlCall, scope: SelectScope, groups: readonly string[]): void {
    if (!counting.has(call.name) || call.isDistinct) return;
    const { name: aggregate } = call;
    const values = call.args.flatMap(valuesOf);
    const read = sourcesOfAll(values, scope);
    const conditions = sourcesOfAll(call.args.flatMap(conditionsOf), scope);
    if (read === undefined || (read.length === 0 && conditions === undefined)) return;
    const asked = [...new Set(read.length > 0 ? read : conditions)];
    const all = scope.sources.map((_, at) => at);
    const repeaters = (asked.length > 0 ? asked : all).map((source) => {
      const own = scope.partnersOf(source, groups).repeaters[0];
      return own ?? repeaterWithin(scope, source, asked.length > 0 ? values : []);
    });
    const [by] = repeaters;
    if (by === undefined || repeaters.includes(undefined)) return;
    const [only, ...others] = asked.length > 0 ? asked : all;
    const table = only !== undefined && others.length === 0 ? scope.sources[only]?.relation.name : undefined;
    this.found.push({ aggregate, ...(table !== undefined && table !== by.table && { table }), by });
  }
}

/** Returns the sources of the columns in expressions; undefined if a column's source is unknown. */
function sourcesOfAll(nodes: readonly SqlNode[], scope: SelectScope): readonly number[] | undefined {
  const sources = nodes.map((node) => scope.sourcesOf(node));
  return sources.includes(undefined) ? undefined : sources.flatMap((each) => each ?? []);
}

/** Returns what repeats values or all rows within a subquery. */
function repeaterWithin(scope: SelectScope, source: number, values: readonly SqlNode[]): Repeater | undefined {
  const relation = scope.sources[source]?.relation;
  const columns = values.flatMap(columnsIn).map((path) => scope.resolve(path));
  const own = columns.flatMap((each) => (typeof each === "object" && each.source === source ? [each.column] : []));
  const repeaters = own.map((column) => relation?.repeated.get(column));
  if (own.length > 0 && !repeaters.includes(undefined)) return repeaters[0];
  return relation?.repeatedRows;
}

/**
 * If every source has repeated rows, returns what repeats them. Ignores comparisons by a range or an expression, because these list pairs
 * on purpose.
 */
function repeaterOfAll(partners: readonly { readonly repeaters: readonly Repeater[] }[]): Repeater | undefined {
  const firsts = partners.map(({ repeaters }) =>
    repeaters.find((each) => each.certainty !== "unknown" && !each.isCompared),
  );
  if (firsts.length === 0 || firsts.includes(undefined)) return undefined;
  return firsts.find((each) => each?.certainty === "possible") ?? firsts[0];
}

/** Describes the output of a subquery. */
class OutputReader {
  readonly #select: SelectTree;
  readonly #scope: SelectScope;
  readonly #groups: readonly SqlNode[];
  readonly #isGrouped: boolean;
  readonly #isAggregated: boolean;
  /** The sources of those outputs that are plain columns, by output name. */
  readonly #outputs = new Map<string, { readonly source: number; readonly column: string } | undefined>();
  #isKnown = true;

  constructor(
    select: SelectTree,
    scope: SelectScope,
    groups: readonly SqlNode[],
    isGrouped: boolean,
    isAggregated: boolean,
  ) {
    this.#select = select;
    this.#scope = scope;
    this.#groups = groups;
    this.#isGrouped = isGrouped;
    this.#isAggregated = isAggregated;
    for (const { node, alias } of select.items) this.#add(node, alias);
  }

  read(repeatedRows: Repeater | undefined): SourceRelation {
    return {
      name: "",
      isTable: false,
      columns: this.#isKnown ? new Set(this.#outputs.keys()) : undefined,
      keys: this.#keys(),
      repeats: (columns) => this.#repeats(columns),
      repeated: this.#repeated(),
      repeatedRows,
    };
  }

  #add(node: SqlNode, alias: string | undefined): void {
    if (node.kind === "star") {
      const owner = node.path?.at(-1)?.toLowerCase();
      for (const [source, { name, relation }] of this.#scope.sources.entries()) {
        if (owner !== undefined && owner !== name) continue;
        if (relation.columns === undefined) this.#isKnown = false;
        for (const column of relation.columns ?? []) this.#outputs.set(column, { source, column });
      }
      return;
    }
    const found = node.kind === "column" ? this.#scope.resolve(node.path) : undefined;
    const name = alias ?? (node.kind === "column" ? node.path.at(-1) : node.kind === "call" ? node.name : undefined);
    if (name !== undefined) this.#outputs.set(name.toLowerCase(), typeof found === "object" ? found : undefined);
  }

  #keys(): readonly (readonly string[])[] {
    const { isOneRow, isDistinct, distinctOn, items, groupsAll } = this.#select;
    if (isOneRow) return [[]];
    const keys: (readonly string[])[] = [];
    if (isDistinct && distinctOn.length === 0 && this.#isKnown) keys.push([...this.#outputs.keys()]);
    if (distinctOn.length > 0) keys.push(...this.#named(distinctOn));
    if (this.#isAggregated) {
      const plain = items.filter(({ node }) => !callsOf(node).some(({ name }) => isAggregate(name)));
      const groups = groupsAll ? plain.map(({ node }) => node) : this.#groups;
      return [...keys, ...(this.#isGrouped ? this.#named(groups) : [[]])];
    }
    for (const { node, alias } of items) {
      if (node.kind !== "call" || node.name !== "row_number" || !node.isWindow || alias === undefined) continue;
      for (const key of this.#named(node.partition)) keys.push([...key, alias.toLowerCase()]);
    }
    for (const [source, { relation }] of this.#scope.sources.entries()) {
      if (!this.#scope.partnersOf(source).isProved) continue;
      for (const key of relation.keys) {
        const names = key.map((column) => this.#outputOf(source, column));
        if (!names.includes(undefined)) keys.push(names.filter((name) => name !== undefined));
      }
    }
    return keys;
  }

  /** Returns the output names of expressions, if each of them is an output. */
  #named(nodes: readonly SqlNode[]): readonly (readonly string[])[] {
    const names = nodes.map((node) => {
      const item = this.#select.items.find((each) => each.node === node || sameNode(each.node, node));
      const column = item?.node.kind === "column" ? item.node.path.at(-1) : undefined;
      const named = item?.alias ?? column;
      if (named !== undefined) return named.toLowerCase();
      const found = node.kind === "column" ? this.#scope.resolve(node.path) : undefined;
      return typeof found === "object" ? this.#outputOf(found.source, found.column) : undefined;
    });
    return names.includes(undefined) ? [] : [names.filter((name) => name !== undefined)];
  }

  #outputOf(source: number, column: string): string | undefined {
    const wanted = this.#scope.classOf(source, column);
    return [...this.#outputs].find(([, from]) => from && this.#scope.classOf(from.source, from.column) === wanted)?.[0];
  }

  #repeats(columns: readonly string[]): Repeater | undefined {
    const { isOneRow, isDistinct, distinctOn, isQualified } = this.#select;
    if (isOneRow || isQualified) return undefined;
    if (columns.length === 0) return this.#keys().some((key) => key.length === 0) ? undefined : this.#any(columns);
    const from = columns.map((column) => this.#outputs.get(column));
    const [first] = from;
    if (first === undefined || from.some((each) => each?.source !== first.source)) return undefined;
    const relation = this.#scope.sources[first.source]?.relation;
    const found = relation?.repeats(from.flatMap((each) => (each ? [each.column] : [])));
    if (found === undefined) return undefined;
    const isWhole =
      this.#scope.sources.length === 1 &&
      this.#select.conditions.length === 0 &&
      !this.#isAggregated &&
      !isDistinct &&
      distinctOn.length === 0;
    return isWhole ? found : { ...found, certainty: "possible" };
  }

  /** Returns the repeater for a subquery that no column joins, if the subquery may have more than one row. */
  #any(columns: readonly string[]): Repeater | undefined {
    const [only, ...others] = this.#scope.sources;
    const found = others.length === 0 ? only?.relation.repeats([]) : undefined;
    return found && { ...found, columns, certainty: "possible" };
  }

  /** Finds columns whose values a join repeats. Merging rows removes the repetition. */
  #repeated(): ReadonlyMap<string, Repeater> {
    const found = new Map<string, Repeater>();
    if (this.#select.isOneRow) return found;
    const merged = this.#select.isDistinct || this.#isAggregated;
    const shown = new Set([...this.#outputs.values()].flatMap((from) => (from ? [from.source] : [])));
    const isOpaque = [...this.#outputs.values()].includes(undefined);
    for (const [name, from] of this.#outputs) {
      if (from === undefined) continue;
      const within = this.#scope.sources[from.source]?.relation.repeated.get(from.column);
      const [by] = this.#scope.partnersOf(from.source).repeaters;
      if (merged && (this.#isAggregated || isOpaque || shown.size === 1)) continue;
      const repeater = by ?? within;
      if (repeater !== undefined) found.set(name, repeater);
    }
    return found;
  }
}

/** Returns all calls in an expression, including nested ones, without its subqueries. */
function callsOf(node: SqlNode): readonly SqlCall[] {
  if (node.kind === "call") return [node, ...partsOf(node).flatMap(callsOf)];
  return partsOf(node).flatMap(callsOf);
}

const others = new Set(
  "min max string_agg group_concat array_agg list bool_or bool_and every any_value listagg json_agg jsonb_agg approx_count_distinct percentile_cont percentile_disc quantile mode first last arg_max arg_min max_by min_by uniq uniqexact grouparray corr".split(
    " ",
  ),
);

function isAggregate(name: string): boolean {
  return counting.has(name) || others.has(name);
}

/** Returns the values that an aggregation adds: the results of a CASE, or the expression itself. */
function valuesOf(node: SqlNode): readonly SqlNode[] {
  if (node.kind !== "case") return [node];
  return [...node.branches.map(({ then }) => then), ...(node.otherwise ? [node.otherwise] : [])];
}

function conditionsOf(node: SqlNode): readonly SqlNode[] {
  return node.kind === "case" ? node.branches.map(({ when }) => when) : [];
}

function columnsIn(node: SqlNode): readonly (readonly string[])[] {
  return node.kind === "column" ? [node.path] : partsOf(node).flatMap(columnsIn);
}

function nodesOf({ items, conditions, groups, having }: SelectTree): readonly SqlNode[] {
  return [...items.map(({ node }) => node), ...conditions, ...groups, ...(having ? [having] : [])];
}

/** Returns the item that a number, as in `GROUP BY 1`, or an alias stands for. */
function meantBy(node: SqlNode, { items }: SelectTree): SqlNode {
  if (node.kind === "literal" && typeof node.value === "number") return items[node.value - 1]?.node ?? node;
  if (node.kind !== "column" || node.path.length > 1) return node;
  const name = node.path[0]?.toLowerCase();
  return items.find(({ alias }) => alias?.toLowerCase() === name)?.node ?? node;
}

function classIn(node: SqlNode, scope: SelectScope): readonly string[] {
  const found = node.kind === "column" ? scope.resolve(node.path) : undefined;
  return typeof found === "object" ? [scope.classOf(found.source, found.column)] : [];
}

function sameNode(a: SqlNode, b: SqlNode): boolean {
  return JSON.stringify(a).toLowerCase() === JSON.stringify(b).toLowerCase();
}
