import type { DatabaseSync } from "node:sqlite";
import { BudgetExceededError } from "@bridle/protocol";
import { lowerAscii } from "@bridle/sql";
import type { ForeignKey, ReadTables, TableProblem, TableStructure, WarehouseStructure } from "../../port/structure.ts";
import { type CatalogColumn, type CatalogTable, DatabaseCatalog } from "./catalog.ts";
import { valueTypeOf } from "./native-types.ts";
import { readTablesOfView, readTablesOfVirtual } from "./read-tables.ts";

/** Reads the structure of the file. This takes a few statements for all tables, and two for each view and virtual table. */
export function readSqliteStructure(database: DatabaseSync, onStatement: () => void): WarehouseStructure {
  return new StructureReader(new DatabaseCatalog(database, onStatement)).read();
}

interface FoundTable {
  readonly columns: readonly CatalogColumn[];
  readonly reads?: ReadTables | undefined;
}

class StructureReader {
  readonly #catalog: DatabaseCatalog;
  readonly #problems: TableProblem[] = [];
  readonly #primaryKeys = new Map<string, readonly string[]>();

  constructor(catalog: DatabaseCatalog) {
    this.#catalog = catalog;
  }

  read(): WarehouseStructure {
    const all = this.#catalog.readTables();
    const columns = this.#catalog.readColumns();
    const uniqueKeys = this.#catalog.readUniqueKeys();
    const estimates = this.#catalog.readEstimates();
    const probe = this.#prober(all);
    const described = all.flatMap((table) => {
      if (table.kind === "shadow") return [];
      const found = table.kind === "table" ? { columns: columns.get(table.name) ?? [] } : probe(table);
      if (found === undefined) return [];
      const structure = { ...describeTable(table, found.columns), reads: found.reads };
      this.#primaryKeys.set(lowerAscii(table.name), structure.primaryKey);
      return [{ ...structure, uniqueKeys: uniqueKeys.get(table.name) ?? [], estimatedRows: estimates.get(table.name) }];
    });
    const foreignKeys = this.#readForeignKeys(described);
    return {
      tables: described.map((table) => ({ ...table, foreignKeys: foreignKeys.get(table.table) ?? [] })),
      problems: this.#problems,
    };
  }

  #prober(all: readonly CatalogTable[]): (table: CatalogTable) => FoundTable | undefined {
    const namesOf = (isShadow: boolean) =>
      new Set(all.filter(({ kind }) => (kind === "shadow") === isShadow).map(({ name }) => lowerAscii(name)));
    const [tables, shadow] = [namesOf(false), namesOf(true)];
    const isVirtual = all.some(({ kind }) => kind === "virtual");
    const definitions = isVirtual ? this.#catalog.readVirtualDefinitions() : new Map<string, string>();
    return ({ name, kind }) => {
      const probed = this.#probe({ name, kind });
      if (probed === undefined) return undefined;
      const reads =
        kind === "view"
          ? readTablesOfView(name, probed.names, tables, shadow)
          : readTablesOfVirtual(definitions.get(name) ?? "");
      return { columns: probed.columns, reads };
    };
  }

  /**
   * Reads the columns of a view or virtual table. This may fail: a table that a view reads may no longer exist, or the module of a virtual
   * table may be missing.
   */
  #probe({ name, kind }: Pick<CatalogTable, "name" | "kind">) {
    try {
      return this.#catalog.probe(name);
    } catch (error) {
      if (error instanceof BudgetExceededError) throw error;
      const reason = error instanceof Error ? error.message : String(error);
      const problem = `It cannot be read: ${reason}.`;
      this.#problems.push({ schema: "main", table: name, kind: kind === "view" ? "view" : "table", problem });
      return undefined;
    }
  }

  /**
   * Reads the foreign keys. One that does not name the parent's columns refers to the parent's primary key. Names are compared without
   * case.
   */
  #readForeignKeys(tables: readonly TableStructure[]): ReadonlyMap<string, readonly ForeignKey[]> {
    const names = new Map(tables.map(({ table }) => [lowerAscii(table), table]));
    const keys = new Map<string, ForeignKey[]>();
    for (const { table, parent, columns, parentColumns } of this.#catalog.readForeignKeys()) {
      const referenced = parentColumns ?? this.#primaryKeys.get(lowerAscii(parent)) ?? [];
      if (referenced.length !== columns.length) continue;
      const references = { schema: "main", table: names.get(lowerAscii(parent)) ?? parent, columns: referenced };
      keys.set(table, [...(keys.get(table) ?? []), { columns, references }]);
    }
    return keys;
  }
}

function describeTable(
  table: CatalogTable,
  found: readonly CatalogColumn[],
): TableStructure & { foreignKeys: readonly [] } {
  const key = found.filter(({ keyPosition }) => keyPosition > 0).sort((a, b) => a.keyPosition - b.keyPosition);
  const isRowId = key.length === 1 && key[0]?.type.toUpperCase() === "INTEGER";
  const hasNoNullKeys = isRowId || table.isWithoutRowId; // in SQLite, other keys accept NULL
  return {
    schema: "main",
    table: table.name,
    kind: table.kind === "view" ? "view" : "table",
    columns: found.map(({ name, type, notNull, keyPosition }) => ({
      name,
      type: valueTypeOf(type),
      nativeType: type,
      nullable: !(notNull || (keyPosition > 0 && hasNoNullKeys)),
    })),
    primaryKey: key.map(({ name }) => name),
    uniqueKeys: [],
    foreignKeys: [],
  };
}
