import type { ReadTables, TableName } from "../../../port/structure.ts";
import { findReadTables, NamedTables } from "../../../statements/find-read-tables.ts";
import { clickhouseDialect } from "../dialect/clickhouse-dialect.ts";

/** Matches engines whose tables have their own rows. */
const own =
  /^(?:\w*MergeTree|Log|TinyLog|StripeLog|Memory|Join|Set|Null|EmbeddedRocksDB|KeeperMap|Generate\w*|Time\w*)$/;

/** Matches engines whose tables show rows of another system. */
const remote =
  /^(?:MySQL|MaterializedMySQL|PostgreSQL|MaterializedPostgreSQL|SQLite|MongoDB|Redis|ODBC|JDBC|S3\w*|GCS|HDFS|URL|File\w*|Azure\w*|Kafka|NATS|RabbitMQ|Hive|Iceberg\w*|DeltaLake\w*|Hudi|YTsaurus|ArrowFlight|COSN|OSS)$/;

/**
 * Matches the database and the table that an engine forwards to: the second and third argument of Distributed, or the first two of Buffer.
 */
const forwarding = /^(?:Distributed\('(?:[^'\\]|\\.)*',|Buffer\() ?'([^'\\]+)', ?'([^'\\]+)'[,)]/;

/** Matches the table that a materialized view writes into, and whose rows it shows. */
const target = /^CREATE MATERIALIZED VIEW [^(]*? TO (?:`([^`\\]+)`|(\w+))\.(?:`([^`\\]+)`|(\w+))[ (]/;

interface DefinedTable extends TableName {
  readonly engine: string;
  readonly engineFull: string;
  /** The SELECT of a view, with full names. */
  readonly select: string;
  readonly definition: string;
}

/** Finds the tables that show other tables' rows, by their engines and definitions. */
export class ShownByEngines {
  readonly #names: NamedTables;

  constructor(tables: readonly TableName[]) {
    this.#names = new NamedTables(tables);
  }

  async of({ schema, engine, engineFull, select, definition }: DefinedTable): Promise<ReadTables | undefined> {
    if (engine === "View") return this.#read(select, schema);
    if (engine === "MaterializedView") return this.#readMaterialized(select, schema, definition);
    if (own.test(engine)) return undefined;
    if (remote.test(engine)) return [];
    const [, database, table] = forwarding.exec(engineFull) ?? [];
    return database === undefined || table === undefined ? "unknown" : [{ schema: database, table }];
  }

  #read(select: string, home: string): Promise<ReadTables> {
    return findReadTables(clickhouseDialect, select, ([first, second, ...more]) => {
      if (more.length > 0) return [];
      return second === undefined ? this.#names.find(home, first) : this.#names.find(first, second);
    });
  }

  async #readMaterialized(select: string, home: string, definition: string): Promise<ReadTables> {
    const reads = await this.#read(select, home);
    const isOwn = !/^CREATE MATERIALIZED VIEW [^(]*? TO /.test(definition);
    if (reads === "unknown" || isOwn) return reads;
    const [, quotedSchema, plainSchema, quotedTable, plainTable] = target.exec(definition) ?? [];
    const [schema, table] = [quotedSchema ?? plainSchema, quotedTable ?? plainTable];
    return schema === undefined || table === undefined ? "unknown" : [...reads, { schema, table }];
  }
}
