import type { ServerInfo } from "../port/connector.ts";
import type { TableName, TableStructure, WarehouseStructure } from "../port/structure.ts";
import { closeReads } from "./read-closure.ts";

/** The tables of a warehouse, found by the names in statements. */
export class Catalog {
  readonly structure: WarehouseStructure;
  readonly #server: ServerInfo;
  readonly #byName: ReadonlyMap<string, readonly TableStructure[]>;

  constructor(structure: WarehouseStructure, server: ServerInfo) {
    this.structure = { ...structure, tables: closeReads(structure) };
    this.#server = server;
    this.#byName = Map.groupBy(this.structure.tables, ({ table }) => table.toLowerCase());
  }

  /** Returns the table with exactly this name. */
  get({ schema, table }: TableName): TableStructure | undefined {
    return this.#named(table).find((each) => each.schema === schema && each.table === table);
  }

  /**
   * Returns the tables that a name in a statement may refer to: none if the name is unknown, several if it is ambiguous. An exact match
   * takes precedence over a match without case, and the default schema over others. Invisible tables count as missing.
   */
  find(name: readonly string[], isVisible: (table: TableStructure) => boolean = () => true): readonly TableStructure[] {
    const parts = this.#withoutCatalog(name, isVisible);
    const [table = "", schema, ...others] = parts.toReversed();
    if (others.length > 0) return [];
    const named = this.#named(table).filter(isVisible);
    const inSchema = schema === undefined ? named : named.filter((each) => isSame(each.schema, schema));
    const exact = inSchema.filter((each) => each.table === table && (schema === undefined || each.schema === schema));
    const found = exact.length > 0 ? exact : inSchema;
    const { defaultSchema } = this.#server;
    const byDefault = found.filter((each) => each.schema === defaultSchema);
    return schema === undefined && byDefault.length === 1 ? byDefault : found;
  }

  #named(table: string): readonly TableStructure[] {
    return this.#byName.get(table.toLowerCase()) ?? [];
  }

  #withoutCatalog(name: readonly string[], isVisible: (table: TableStructure) => boolean): readonly string[] {
    const [first = "", ...rest] = name;
    const { catalog, namesCatalogs } = this.#server;
    if (catalog === undefined || rest.length === 0) return name;
    if (!isSame(first, catalog)) return namesCatalogs ? withOtherCatalog(name) : name;
    const isSchema =
      rest.length === 1 && this.structure.tables.some((table) => isSame(table.schema, first) && isVisible(table));
    return isSchema ? name : rest;
  }
}

/** Turns the name of a table in another catalog into the form used here, in which the schema is `catalog.schema`. */
function withOtherCatalog(name: readonly string[]): readonly string[] {
  const [catalog, schema, table, ...others] = name;
  return schema === undefined || table === undefined || others.length > 0 ? name : [`${catalog}.${schema}`, table];
}

function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
