import type { KeyCandidate } from "../keys/key-candidates.ts";
import type { ColumnFacts, SchemaFacts, TableOfSchema } from "../schema-facts.ts";

/** The chosen links of single columns, with their targets. */
export type Targets = ReadonlyMap<ColumnFacts, ColumnFacts>;

/** The number of tables below which every table of a schema is compared. */
const smallSchema = 150;

/** Finds the tables that may link to a key of several columns. */
export class RelatedTables {
  readonly #schema: SchemaFacts;
  readonly #targets: Targets;
  /** The tables with a column of this name, and those with a link to this column. */
  readonly #byName = new Map<string, Set<TableOfSchema>>();
  readonly #byTarget = new Map<ColumnFacts, Set<TableOfSchema>>();

  constructor(schema: SchemaFacts, targets: Targets) {
    this.#schema = schema;
    this.#targets = targets;
    for (const column of schema.columns) add(this.#byName, column.words.join(" "), column.table);
    for (const [child, parent] of targets) add(this.#byTarget, parent, child.table);
  }

  /** In large schemas, returns only tables that match each column of the key with a column that has the same words or a common link. */
  to({ columns }: KeyCandidate): Iterable<TableOfSchema> {
    const { tables } = this.#schema;
    if (tables.length <= smallSchema) return tables;
    const [first, ...rest] = columns.map((column) => this.#tablesFor(column));
    return [...(first ?? [])].filter((table) => rest.every((own) => own.has(table)));
  }

  #tablesFor(column: ColumnFacts): ReadonlySet<TableOfSchema> {
    const target = this.#targets.get(column);
    const alike = this.#byName.get(column.words.join(" ")) ?? [];
    const linked = this.#byTarget.get(column) ?? [];
    const siblings = (target && this.#byTarget.get(target)) ?? [];
    return new Set([...alike, ...linked, ...siblings, ...(target === undefined ? [] : [target.table])]);
  }
}

function add<T>(tables: Map<T, Set<TableOfSchema>>, key: T, table: TableOfSchema): void {
  tables.set(key, (tables.get(key) ?? new Set()).add(table));
}
