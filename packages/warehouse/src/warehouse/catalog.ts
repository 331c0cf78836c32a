import type { ServerInfo } from "../port/connector.ts";
import type { TableName, TableStructure, WarehouseStructure } from "../port/structure.ts";

/** The tables of a warehouse, found as statements name them. */
export class Catalog {
  readonly structure: WarehouseStructure;
  readonly #server: ServerInfo;
  readonly #byName: ReadonlyMap<string, readonly TableStructure[]>;

  constructor(structure: WarehouseStructure, server: ServerInfo) {
    this.structure = structure;
    this.#server = server;
    this.#byName = Map.groupBy(structure.tables, ({ table }) => table.toLowerCase());
  }

  /** The table of exactly this name. */
  get({ schema, table }: TableName): TableStructure | undefined {
    return this.#named(table).find((each) => each.schema === schema && each.table === table);
  }

  /**
   * The tables that a name in a statement may mean: none if there is none, several if it is ambiguous. The same spelling counts
   * more than the same letters, and the default schema more than others.
   */
  find(name: readonly string[]): readonly TableStructure[] {
    const parts = this.#withoutCatalog(name);
    const [table = "", schema, ...others] = parts.toReversed();
    if (others.length > 0) return [];
    const named = this.#named(table);
    const inSchema = schema === undefined ? named : named.filter((each) => isSame(each.schema, schema));
    const exact = inSchema.filter((each) => each.table === table && (schema === undefined || each.schema === schema));
    const found = exact.length > 0 ? exact : inSchema;
    const { defaultSchema } = this.#server;
    const byDefault = found.filter((each) => each.schema === defaultSchema);
    return schema === undefined && byDefault.length === 1 ? byDefault : found;
  }

  /** The place that a name in a statement means, whether there is a table or not; the schema is undefined if it has none. */
  placeOf(name: readonly string[]): { readonly schema: string | undefined; readonly table: string } {
    const [table = "", schema] = this.#withoutCatalog(name).toReversed();
    return { schema: schema ?? this.#server.defaultSchema, table };
  }

  #named(table: string): readonly TableStructure[] {
    return this.#byName.get(table.toLowerCase()) ?? [];
  }

  #withoutCatalog(name: readonly string[]): readonly string[] {
    const [first = "", ...rest] = name;
    const { catalog } = this.#server;
    if (catalog === undefined || rest.length === 0 || !isSame(first, catalog)) return name;
    const isSchema = rest.length === 1 && this.structure.tables.some(({ schema }) => isSame(schema, first));
    return isSchema ? name : rest;
  }
}

function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
