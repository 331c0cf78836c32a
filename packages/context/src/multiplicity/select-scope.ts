/** Resolves names in one SELECT, and finds the columns that its conditions make equal. */

import { allConditions, columnPathsOf, type SelectTree, type SqlNode } from "@bridle/sql";
import { type Repeater, type SourceRelation, unknownRelation } from "./relation.ts";

export interface Source {
  readonly name: string;
  readonly relation: SourceRelation;
  readonly isPartial: boolean;
}

/** A column of a source, `outer` for a column of an enclosing query, or `unknown`. */
export type Resolved = { readonly source: number; readonly column: string } | "outer" | "unknown";

/** Which rows of the other sources belong to a row of one source. */
export interface Partners {
  readonly repeaters: readonly Repeater[];
  /** Whether it is proved that each other source has at most one row. */
  readonly isProved: boolean;
}

const ranks = { certain: 0, possible: 1, unknown: 2 };

export class SelectScope {
  readonly sources: readonly Source[];
  readonly #classes = new Map<string, string>();
  readonly #fixed = new Set<string>();
  /** Sources with conditions on their own columns, which may leave only one of several rows. */
  readonly filtered = new Set<number>();
  /** The columns of sources with conditions on other sources, unless these are equalities of columns. */
  readonly #compared = new Map<number, Set<string>>();
  /** Columns that an expression of other sources determines. */
  readonly #computed: { readonly source: number; readonly column: string; readonly from: readonly number[] }[] = [];
  /** Sources that have only missing rows, as after an outer join. */
  readonly #missing = new Set<number>();
  readonly #columns = new Map<string, { source: number; column: string }>();

  constructor(select: SelectTree, sources: readonly Source[]) {
    this.sources = sources;
    for (const [at, source] of select.sources.entries()) if (source.isNatural) this.#joinNaturally(at);
    for (const { column, source } of select.using) this.#use(column.toLowerCase(), source);
    for (const condition of select.conditions.flatMap(allConditions)) this.#learn(condition);
  }

  resolve(path: readonly string[]): Resolved {
    const column = path.at(-1)?.toLowerCase() ?? "";
    const owner = path.at(-2)?.toLowerCase();
    if (owner !== undefined) {
      const source = this.sources.findIndex(({ name }) => name === owner);
      return source < 0 ? "outer" : { source, column };
    }
    if (this.sources.length === 1 && this.sources[0]?.relation.columns === undefined) return { source: 0, column };
    const having = this.sources.flatMap(({ relation }, at) => (relation.columns?.has(column) ? [at] : []));
    const isOpen = this.sources.some(({ relation }) => relation.columns === undefined);
    const [source] = having;
    if (source !== undefined && (having.length === 1 || this.#areEqual(column, having))) return { source, column };
    return having.length === 0 && !isOpen ? "outer" : "unknown";
  }

  /** Returns the sources of the columns in an expression; undefined if a column's source is unknown. */
  sourcesOf(node: SqlNode): readonly number[] | undefined {
    const found = columnPathsOf(node).map((path) => this.resolve(path));
    if (found.includes("unknown")) return undefined;
    return [...new Set(found.flatMap((each) => (typeof each === "object" ? [each.source] : [])))];
  }

  /** Returns a string that is equal for columns that have the same value in each row. */
  classOf(source: number, column: string): string {
    const key = `${source}.${column}`;
    this.#columns.set(key, { source, column });
    let root = key;
    for (let next = this.#classes.get(root); next !== undefined && next !== root; next = this.#classes.get(root))
      root = next;
    return root;
  }

  /** Finds how many rows of the other sources belong to one row of a source, in a group with fixed values. */
  partnersOf(start: number, groups: readonly string[] = []): Partners {
    const fixed = new Set([...this.#fixed].map((key) => this.#rootOf(key)));
    for (const group of groups) fixed.add(this.#rootOf(group));
    const known = new Set([start]);
    const repeaters: Repeater[] = [];
    let isProved = true;
    while (known.size < this.sources.length) {
      const next = this.#follow(known, fixed);
      if (next.isProved) {
        known.add(next.source);
        continue;
      }
      isProved = false;
      const found = this.#repeaterOf(next.source, next.columns, next.linked);
      if (found !== undefined) repeaters.push(found);
      known.add(next.source);
    }
    return { repeaters: repeaters.toSorted((a, b) => ranks[a.certainty] - ranks[b.certainty]), isProved };
  }

  #repeaterOf(source: number, columns: readonly string[], linked: readonly string[]): Repeater | undefined {
    const { relation } = this.sources[source] ?? { relation: unknownRelation("") };
    const compared = this.#compared.get(source);
    if (compared !== undefined) {
      const found = linked.length === 0 ? undefined : (relation.repeats(columns) ?? relation.repeats(linked));
      if (found !== undefined) return { ...found, certainty: "possible", isCompared: true };
      return { table: relation.name, columns: [...linked, ...compared], certainty: "unknown", isCompared: true };
    }
    // Constants may leave one of several rows, or not.
    const found = relation.repeats(columns) ?? this.#repeatsLinked(relation, linked);
    if (found === undefined)
      return relation.isTable ? { table: relation.name, columns, certainty: "unknown" } : undefined;
    const isCertain = found.certainty === "certain" && !this.filtered.has(source) && !this.#isComputed(source);
    return { ...found, certainty: isCertain ? "certain" : "possible" };
  }

  #isComputed(source: number): boolean {
    return this.#computed.some((each) => each.source === source);
  }

  #repeatsLinked(relation: SourceRelation, linked: readonly string[]): Repeater | undefined {
    const found = linked.length === 0 ? undefined : relation.repeats(linked);
    return found && { ...found, certainty: "possible" };
  }

  /**
   * Returns the next source: preferably one with at most one row for each known row, then one that is joined to known sources, then any
   * other.
   */
  #follow(known: ReadonlySet<number>, fixed: ReadonlySet<string>) {
    const open = this.sources.map((_, at) => at).filter((at) => !known.has(at));
    const joined = open.map((source) => ({ source, ...this.#matched(source, known, fixed) }));
    const single = joined.find(({ source, columns }) => this.#isSingle(source, columns));
    if (single !== undefined) return { ...single, isProved: true };
    const linked = joined.find((each) => each.linked.length > 0) ?? joined[0];
    return {
      source: linked?.source ?? 0,
      columns: linked?.columns ?? [],
      linked: linked?.linked ?? [],
      isProved: false,
    };
  }

  #isSingle(source: number, columns: readonly string[]): boolean {
    const { relation, isPartial } = this.sources[source] ?? { relation: unknownRelation(""), isPartial: false };
    if (isPartial || this.#missing.has(source)) return true;
    return relation.keys.some((key) => key.every((column) => columns.includes(column)));
  }

  /** Returns the columns of a source that known rows or constants determine. */
  #matched(source: number, known: ReadonlySet<number>, fixed: ReadonlySet<string>) {
    const reached = new Set(fixed);
    for (const [key, column] of this.#columns) if (known.has(column.source)) reached.add(this.#rootOf(key));
    const own = [...this.#columns].filter(([key, each]) => each.source === source && reached.has(this.#rootOf(key)));
    const linked = own.filter(([key]) =>
      [...this.#columns].some(([other, each]) => known.has(each.source) && this.#rootOf(other) === this.#rootOf(key)),
    );
    const computed = this.#computed
      .filter((each) => each.source === source && each.from.every((at) => known.has(at)))
      .map(({ column }) => column);
    return {
      columns: [...new Set([...namesOf(own), ...computed])],
      linked: [...new Set([...namesOf(linked), ...computed])],
    };
  }

  #rootOf(key: string): string {
    const column = this.#columns.get(key);
    return column === undefined ? key : this.classOf(column.source, column.column);
  }

  #areEqual(column: string, sources: readonly number[]): boolean {
    return new Set(sources.map((source) => this.classOf(source, column))).size === 1;
  }

  #equate(a: { source: number; column: string }, b: { source: number; column: string }): void {
    const [left, right] = [this.classOf(a.source, a.column), this.classOf(b.source, b.column)];
    if (left !== right) this.#classes.set(left, right);
  }

  #use(column: string, source: number): void {
    const before = this.sources
      .slice(0, source)
      .flatMap(({ relation }, at) => (relation.columns === undefined || relation.columns.has(column) ? [at] : []));
    for (const at of before) this.#equate({ source: at, column }, { source, column });
  }

  #joinNaturally(source: number): void {
    const { columns } = this.sources[source]?.relation ?? {};
    for (const column of columns ?? []) {
      const owner = this.sources.slice(0, source).findIndex(({ relation }) => relation.columns?.has(column));
      if (owner >= 0) this.#equate({ source: owner, column }, { source, column });
    }
    if (columns === undefined) this.#compared.set(source, new Set());
  }

  /** Learns from a condition that is true for all rows. */
  #learn(condition: SqlNode): void {
    const [left, right] = condition.kind === "operation" && isEquality(condition.operator) ? condition.operands : [];
    const [a, b] = [this.#columnIn(left), this.#columnIn(right)];
    if (a !== undefined && b !== undefined && a.source !== b.source) {
      this.#equate(a, b);
      return;
    }
    const own = a ?? b;
    const other = a === undefined ? left : right;
    if (own !== undefined && other !== undefined && this.sourcesOf(other)?.length === 0)
      this.#fixed.add(this.classOf(own.source, own.column));
    const isComputed = own !== undefined && other !== undefined && this.#compute(own, other);
    if (isComputed || this.#learnMissing(condition)) return;
    const sources = this.sourcesOf(condition) ?? this.sources.map((_, at) => at);
    if (sources.length === 1) for (const source of sources) this.filtered.add(source);
    else for (const source of sources) this.#compare(source, condition);
  }

  /** Learns from `a.x = lower(b.y)` that a row of `b` determines the value of `a.x`, but not the reverse. */
  #compute(own: { source: number; column: string }, other: SqlNode): boolean {
    const from = this.sourcesOf(other);
    if (from === undefined || from.length === 0 || from.includes(own.source)) return false;
    this.classOf(own.source, own.column);
    this.#computed.push({ ...own, from });
    for (const source of from) this.#compare(source, other);
    return true;
  }

  #compare(source: number, node: SqlNode): void {
    const columns = this.#compared.get(source) ?? new Set();
    for (const found of columnPathsOf(node).map((path) => this.resolve(path)))
      if (typeof found === "object" && found.source === source) columns.add(found.column);
    this.#compared.set(source, columns);
  }

  /** Learns from `i.id IS NULL`, where `i.id` is joined or part of a key, that the remaining rows have no partner in `i`. */
  #learnMissing(condition: SqlNode): boolean {
    if (condition.kind !== "operation" || condition.operator !== "is") return false;
    const [operand, value] = condition.operands;
    const own = this.#columnIn(operand);
    if (own === undefined || value?.kind !== "literal" || value.value !== null) return false;
    const keys = this.sources[own.source]?.relation.keys ?? [];
    const isJoined =
      this.#classes.has(`${own.source}.${own.column}`) ||
      [...this.#classes.values()].includes(`${own.source}.${own.column}`);
    if (!isJoined && !keys.flat().includes(own.column)) return false;
    this.#missing.add(own.source);
    return true;
  }

  #columnIn(node: SqlNode | undefined): { source: number; column: string } | undefined {
    if (node?.kind === "cast") return this.#columnIn(node.operand);
    if (node?.kind !== "column") return undefined;
    const found = this.resolve(node.path);
    return typeof found === "object" ? found : undefined;
  }
}

function namesOf(columns: readonly (readonly [string, { readonly column: string }])[]): readonly string[] {
  return [...new Set(columns.map(([, { column }]) => column))];
}

function isEquality(operator: string): boolean {
  return operator === "=" || operator === "==" || operator === "<=>";
}
