import type { CatalogOptions, EngineConnection } from "../port/connector.ts";
import type { TableProblem, WarehouseStructure } from "../port/structure.ts";
import { Catalog } from "./catalog.ts";

/** Reads a warehouse's structure when it is first needed, and keeps it. */
export class CatalogReader {
  readonly #engine: EngineConnection;
  /** The schemas that can have tables in scope; undefined if any schema can. */
  readonly #schemas: readonly string[] | undefined;
  #reading: Promise<Catalog> | undefined;
  #known: Catalog | undefined;
  #readAt = 0;

  constructor(engine: EngineConnection, schemas: readonly string[] | undefined) {
    this.#engine = engine;
    this.#schemas = schemas;
  }

  /** The structure that was last read; undefined before the first time. */
  get known(): Catalog | undefined {
    return this.#known;
  }

  /** Milliseconds since the structure was read. */
  get age(): number {
    return performance.now() - this.#readAt;
  }

  load(options: CatalogOptions): Promise<Catalog> {
    this.#reading ??= this.#read(options);
    return this.#reading;
  }

  reload(options: CatalogOptions): Promise<Catalog> {
    this.#reading = undefined;
    return this.load(options);
  }

  async #read(options: CatalogOptions): Promise<Catalog> {
    try {
      const catalog = new Catalog(await this.#readSchemas(options), this.#engine.server);
      this.#known = catalog;
      this.#readAt = performance.now();
      return catalog;
    } catch (error) {
      this.#reading = undefined; // so that the next call tries again
      throw error;
    }
  }

  /** Reads only the schemas that the scope names. If one of them is spelled differently in the database, reads all schemas. */
  async #readSchemas(options: CatalogOptions): Promise<WarehouseStructure> {
    const before = this.#engine.statements;
    const found = await this.#engine.readStructure(this.#schemas, options);
    const wanted = this.#schemas ?? [];
    if (wanted.every((schema) => found.tables.some((table) => table.schema === schema))) return found;
    const { maxStatements: max } = options;
    const left = max === undefined ? undefined : max - (this.#engine.statements - before);
    const all = await this.#engine.readStructure(undefined, { ...options, maxStatements: left });
    return { ...all, problems: [...all.problems, ...findMissingSchemas(wanted, all)] };
  }
}

/**
 * Reports the wanted schemas that were not found. A schema that is empty, does not exist, or may not be used by the account looks the same.
 */
function findMissingSchemas(wanted: readonly string[], { tables, problems }: WarehouseStructure): TableProblem[] {
  const known = new Set([...tables, ...problems].map(({ schema }) => schema.toLowerCase()));
  const missing = wanted.filter((schema) => !known.has(schema.toLowerCase()));
  return missing.map((schema) => ({
    schema,
    table: "*",
    problem: `There is no table that can be read in the schema ${schema}. Correct include, or grant the account access.`,
  }));
}
