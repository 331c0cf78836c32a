import { z } from "zod";
import type {
  ColumnStructure,
  ForeignKey,
  ReadTables,
  TableName,
  TableProblem,
  TableStructure,
  WarehouseStructure,
} from "../../../port/structure.ts";
import type { QueryCatalog, StatementSession } from "../session/statement-session.ts";
import { columnQuery, foreignKeyQuery, keyQuery, relationQuery, viewReadsQuery } from "./structure-queries.ts";

const comment = z.string().nullable();
const relationSchema = z.object({
  oid: z.string(),
  schema: z.string(),
  table: z.string(),
  kind: z.string(),
  comment,
  rows: z.number().nullable(),
  usable: z.boolean(),
  readable: z.boolean(),
  partly: z.boolean(),
});
const columnSchema = z.object({
  oid: z.string(),
  number: z.number(),
  name: z.string(),
  type: z.string(),
  shown: z.string(),
  nullable: z.boolean(),
  comment,
});
const keySchema = z.object({ oid: z.string(), primary: z.boolean(), numbers: z.string(), count: z.number() });
const foreignKeySchema = z.object({
  oid: z.string(),
  numbers: z.array(z.number()),
  schema: z.string(),
  table: z.string(),
  columns: z.array(z.string()),
});

const readSchema = z.object({
  oid: z.string(),
  schema: z.string().nullable(),
  table: z.string().nullable(),
  target: z.string().nullable(),
  inherits: z.boolean(),
});

type RelationRow = z.output<typeof relationSchema>;
type ColumnRow = z.output<typeof columnSchema>;

/** Reads the structure in five queries, regardless of the number of tables. */
export async function readPostgresStructure(
  query: QueryCatalog,
  session: StatementSession,
  schemas: readonly string[] | undefined,
): Promise<WarehouseStructure> {
  const values = [schemas === undefined ? null : [...schemas]];
  const relations = z.array(relationSchema).parse(await query(relationQuery, values));
  const parts = new StructureParts(session);
  parts.addColumns(z.array(columnSchema).parse(await query(columnQuery, values)));
  parts.addKeys(z.array(keySchema).parse(await query(keyQuery, values)));
  parts.addForeignKeys(z.array(foreignKeySchema).parse(await query(foreignKeyQuery, values)));
  parts.addReads(z.array(readSchema).parse(await query(viewReadsQuery, values)));
  const readable = relations.filter(({ usable, partly }) => usable && partly);
  const problems = relations.filter((relation) => !readable.includes(relation)).map(describeProblem);
  return { tables: readable.map((relation) => parts.build(relation)), problems };
}

function describeProblem({ schema, table, kind, usable }: RelationRow): TableProblem {
  const [right, on] = usable ? ["SELECT", `the table ${table}`] : ["USAGE", `the schema ${schema}`];
  const problem = `The account may not read it. Grant it ${right} on ${on}, or exclude the table.`;
  return { schema, table, kind: kindOf(kind), problem };
}

function kindOf(letter: string): TableStructure["kind"] {
  return ["v", "f"].includes(letter) ? "view" : "table";
}

/** Collects columns and keys by table. */
class StructureParts {
  readonly #session: StatementSession;
  readonly #columns = new Map<string, ColumnRow[]>();
  readonly #keys = new Map<string, { readonly isPrimary: boolean; readonly columns: readonly string[] }[]>();
  readonly #foreignKeys = new Map<string, ForeignKey[]>();

  readonly #reads = new Map<string, TableName[]>();
  readonly #unknown = new Set<string>();
  readonly #heirs = new Set<string>();

  constructor(session: StatementSession) {
    this.#session = session;
  }

  addColumns(rows: readonly ColumnRow[]): void {
    for (const row of rows) addTo(this.#columns, row.oid, row);
  }

  addKeys(rows: readonly z.output<typeof keySchema>[]): void {
    for (const { oid, primary: isPrimary, numbers, count } of rows) {
      const columns = this.#names(oid, numbers.split(" ").slice(0, count).map(Number));
      if (columns !== undefined) addTo(this.#keys, oid, { isPrimary, columns });
    }
  }

  addForeignKeys(rows: readonly z.output<typeof foreignKeySchema>[]): void {
    for (const { oid, numbers, schema, table, columns: referenced } of rows) {
      const columns = this.#names(oid, numbers);
      if (columns !== undefined)
        addTo(this.#foreignKeys, oid, { columns, references: { schema, table, columns: referenced } });
    }
  }

  /** Adds the tables that views and parent tables read. Also notes tables that inherit from a parent, which shows their rows, too. */
  addReads(rows: readonly z.output<typeof readSchema>[]): void {
    for (const { oid, schema, table, target, inherits } of rows) {
      if (schema === null || table === null) this.#unknown.add(oid);
      else addTo(this.#reads, oid, { schema, table });
      if (inherits && target !== null) this.#heirs.add(target);
    }
  }

  /** Returns column names. Undefined if there is a column that the account may not see. */
  #names(oid: string, numbers: readonly number[]): readonly string[] | undefined {
    const names = numbers.map((wanted) => this.#columns.get(oid)?.find(({ number }) => number === wanted)?.name);
    return names.every((name) => name !== undefined) ? names : undefined;
  }

  build({ oid, schema, table, kind, comment: text, rows, readable }: RelationRow): TableStructure {
    const keys = this.#keys.get(oid) ?? [];
    return {
      schema,
      table,
      kind: kindOf(kind),
      reads: this.#readsOf(oid, kind),
      ...(!readable && { isPartial: true }),
      columns: (this.#columns.get(oid) ?? []).map((column) => this.#column(column)),
      primaryKey: keys.find(({ isPrimary }) => isPrimary)?.columns ?? [],
      uniqueKeys: keys.filter(({ isPrimary }) => !isPrimary).map(({ columns }) => columns),
      foreignKeys: this.#foreignKeys.get(oid) ?? [],
      ...(text !== null && { comment: text }),
      ...(rows !== null && { estimatedRows: Math.round(rows) }),
    };
  }

  /**
   * Returns the tables that a table shows rows of. A foreign table shows rows of another server. A materialized view can be sampled like a
   * table, but still shows rows of other tables.
   */
  #readsOf(oid: string, kind: string): ReadTables | undefined {
    if (this.#unknown.has(oid)) return "unknown";
    const shows = ["v", "m", "f"].includes(kind) || this.#heirs.has(oid);
    return this.#reads.get(oid) ?? (shows ? [] : undefined);
  }

  #column({ name, type, shown, nullable, comment: text }: ColumnRow): ColumnStructure {
    const known = this.#session.types.find(Number(type));
    return { name, type: known.type, nativeType: shown, nullable, ...(text !== null && { comment: text }) };
  }
}

function addTo<T>(lists: Map<string, T[]>, key: string, item: T): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [item]);
  else list.push(item);
}
