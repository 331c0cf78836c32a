import { allConditions, partsOf, type QueryTree, type SelectTree, type SqlNode } from "@bridle/sql";
import { hasAggregate, readAggregates } from "./collect-aggregates.ts";
import { readConditionUse } from "./collect-conditions.ts";
import type { HistoryTable } from "./query-history.ts";
import { type ResolvedColumn, StatementScope, type TableNamesOfHistory } from "./statement-scope.ts";
import type { TableUsageCounter } from "./table-usage-counter.ts";
import type { StatementWeight } from "./usage-counter.ts";

/**
 * The maximum number of conditions that are counted together. A combination of more conditions is specific to one report, and does not
 * define a group of rows that deserves a name.
 */
const maxTogether = 4;
/** Functions that cut a time into periods. */
const periods =
  /^(?:date_trunc|extract|year|quarter|month|week|day|hour|strftime|to_char|date_format|date_part|datepart)$/;

/** Counts the uses of tables in a query and its subqueries. */
export class SelectCollector {
  readonly #tables: TableNamesOfHistory;
  readonly #counterOf: (table: HistoryTable) => TableUsageCounter;
  readonly #weight: StatementWeight;
  /** Whether the statement names one of the tables. */
  isUsed = false;

  constructor(
    tables: TableNamesOfHistory,
    counterOf: (table: HistoryTable) => TableUsageCounter,
    weight: StatementWeight,
  ) {
    this.#tables = tables;
    this.#counterOf = counterOf;
    this.#weight = weight;
  }

  query({ common, selects }: QueryTree, visible: ReadonlySet<string> = new Set()): void {
    const names = new Set([...visible, ...common.map(({ name }) => name.toLowerCase())]);
    for (const each of common) this.query(each.query, names);
    for (const select of selects) this.#select(select, names);
  }

  #select(select: SelectTree, names: ReadonlySet<string>): void {
    const scope = new StatementScope(select, this.#tables, names);
    for (const { table } of scope.sources) if (table) this.#use(table);
    for (const source of select.sources) if (source.kind === "query") this.query(source.query, names);
    for (const node of nodesOf(select)) this.#subqueries(node, names);
    this.#aggregates(select, scope);
    this.#conditions(select, scope);
    this.#groups(select, scope);
    this.#joins(select, scope);
  }

  #use(table: HistoryTable): void {
    this.isUsed = true;
    this.#counterOf(table).use(this.#weight);
  }

  #subqueries(node: SqlNode, names: ReadonlySet<string>): void {
    if (node.kind === "query") this.query(node.query, names);
    else for (const part of partsOf(node)) this.#subqueries(part, names);
  }

  #aggregates({ items, having }: SelectTree, scope: StatementScope): void {
    for (const { node, alias } of [...items, ...(having ? [{ node: having, alias: undefined }] : [])]) {
      for (const { table, aggregate } of readAggregates(node, scope)) {
        const counter = this.#counterOf(table);
        counter.aggregates.add(aggregate, this.#weight);
        if (alias !== undefined && node.kind === "call") counter.name(aggregate, alias, this.#weight.runs);
      }
    }
  }

  #conditions({ conditions }: SelectTree, scope: StatementScope): void {
    const together = new Map<number, { table: HistoryTable; texts: Map<string, string> }>();
    for (const node of conditions.flatMap(allConditions)) {
      const use = readConditionUse(node, scope);
      if (use === undefined) continue;
      const { table, column, source } = use.column;
      if (use.isBound) this.#counterOf(table).times.add({ column }, this.#weight);
      if (use.condition === undefined) continue;
      this.#counterOf(table).conditions.add({ condition: use.condition, columns: [column] }, this.#weight);
      const found = together.get(source) ?? { table, texts: new Map<string, string>() };
      together.set(source, found);
      found.texts.set(use.condition, column);
    }
    for (const { table, texts } of together.values()) {
      if (texts.size < 2 || texts.size > maxTogether) continue;
      const condition = [...texts.keys()].toSorted().join(" AND ");
      const columns = [...new Set(texts.values())].toSorted();
      this.#counterOf(table).conditions.add({ condition, columns }, this.#weight);
    }
  }

  #groups({ items, groups, groupsAll }: SelectTree, scope: StatementScope): void {
    const all = groupsAll ? items.map(({ node }) => node).filter((node) => !hasAggregate(node)) : groups;
    for (const node of all) {
      const meant = meantBy(node, items);
      const columns = columnsIn(meant, scope);
      const [found, ...others] = columns;
      if (found === undefined || others.some(({ column }) => column !== found.column)) continue;
      this.#counterOf(found.table).groups.add({ column: found.column }, this.#weight);
      if (isPeriod(meant)) this.#counterOf(found.table).times.add({ column: found.column }, this.#weight);
    }
  }

  #joins({ conditions, using }: SelectTree, scope: StatementScope): void {
    const pairs = new Map<string, { from: ResolvedColumn; to: ResolvedColumn }[]>();
    const add = (a: ResolvedColumn | undefined, b: ResolvedColumn | undefined) => {
      if (!a || !b || a.source === b.source) return;
      const [from, to] = a.source < b.source ? [a, b] : [b, a];
      const key = `${from.source} ${to.source}`;
      pairs.set(key, [...(pairs.get(key) ?? []), { from, to }]);
    };
    for (const node of conditions.flatMap(allConditions)) {
      if (node.kind !== "operation" || !["=", "=="].includes(node.operator)) continue;
      const [left, right] = node.operands.map((each) =>
        each.kind === "column" ? scope.resolve(each.path) : undefined,
      );
      add(left, right);
    }
    for (const { column, source } of using) {
      const before = scope.sources.findIndex((_, at) => at < source && scope.columnOf(at, column) !== undefined);
      add(scope.columnOf(before, column), scope.columnOf(source, column));
    }
    for (const list of pairs.values()) this.#join(list);
  }

  #join(list: readonly { readonly from: ResolvedColumn; readonly to: ResolvedColumn }[]): void {
    const sorted = list.toSorted((a, b) => (a.from.column < b.from.column ? -1 : 1));
    const [first] = sorted;
    if (first === undefined) return;
    const { schema, table } = first.to.table;
    const join = {
      columns: sorted.map(({ from }) => from.column),
      to: { schema, table },
      toColumns: sorted.map(({ to }) => to.column),
    };
    this.#counterOf(first.from.table).joins.add(join, this.#weight);
  }
}

/** Returns the parts of a SELECT that may have subqueries. */
function nodesOf({ items, conditions, groups, having }: SelectTree): readonly SqlNode[] {
  return [...items.map(({ node }) => node), ...conditions, ...groups, ...(having ? [having] : [])];
}

/** Returns the selected expression that `GROUP BY 1` or `GROUP BY month` refers to. */
function meantBy(node: SqlNode, items: SelectTree["items"]): SqlNode {
  if (node.kind === "literal" && typeof node.value === "number") return items[node.value - 1]?.node ?? node;
  const [name, ...more] = node.kind === "column" ? node.path : [];
  const named = more.length === 0 ? items.find(({ alias }) => alias?.toLowerCase() === name?.toLowerCase()) : undefined;
  return name !== undefined && named ? named.node : node;
}

function columnsIn(node: SqlNode, scope: StatementScope): readonly ResolvedColumn[] {
  if (node.kind === "column") {
    const found = scope.resolve(node.path);
    return found ? [found] : [];
  }
  return partsOf(node).flatMap((part) => columnsIn(part, scope));
}

function isPeriod(node: SqlNode): boolean {
  return (node.kind === "call" && periods.test(node.name)) || (node.kind !== "query" && partsOf(node).some(isPeriod));
}
