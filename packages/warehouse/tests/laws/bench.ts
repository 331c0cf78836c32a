import type { z } from "zod";
import type {
  ColumnStructure,
  ConnectContext,
  EngineConnection,
  ResultColumn,
  StreamOptions,
  TableName,
  TableStructure,
  WarehouseRow,
} from "../../src/index.ts";
import type { ConnectorFixture, ConnectorHarness } from "./harness.ts";
import { standardStatements } from "./standard-tables.ts";

interface Answer {
  readonly columns: readonly ResultColumn[];
  readonly rows: readonly WarehouseRow[];
  readonly batches: number;
  readonly truncated: "rows" | "bytes" | undefined;
}

/** Limits that no law reaches by chance, even on a busy machine. */
const generous = { maxRows: 1_000_000, maxBytes: 1_000_000_000, timeoutMs: 120_000 };

/** A database with the standard tables, and an open connection to it, on which the laws are checked. */
export class ConnectorBench<Schema extends z.ZodObject = z.ZodObject> {
  readonly harness: ConnectorHarness<Schema>;
  #fixture: ConnectorFixture<Schema> | undefined;
  #connection: EngineConnection | undefined;

  constructor(harness: ConnectorHarness<Schema>) {
    this.harness = harness;
  }

  async open(): Promise<void> {
    this.#fixture = await this.harness.create();
    for (const sql of standardStatements(this)) await this.#fixture.write(sql);
    this.#connection = await this.connect();
  }

  async close(): Promise<void> {
    await this.#connection?.close();
    await this.#fixture?.close();
  }

  get fixture(): ConnectorFixture<Schema> {
    if (this.#fixture === undefined) throw new Error("The database is not open.");
    return this.#fixture;
  }

  get connection(): EngineConnection {
    if (this.#connection === undefined) throw new Error("The connection is not open.");
    return this.#connection;
  }

  /** Opens another connection to the same database. The caller closes it. */
  connect(config: z.output<Schema> = this.fixture.config): Promise<EngineConnection> {
    return this.harness.connector.connect(config, this.context);
  }

  get context(): ConnectContext {
    return { projectDir: "/" };
  }

  name(table: string): TableName {
    return { schema: this.fixture.schema, table };
  }

  /** Returns the table's full name, quoted. */
  quoted(table: string): string {
    return this.harness.connector.dialect.quoteTable(this.name(table));
  }

  column(name: string): string {
    return this.harness.connector.dialect.quoteIdentifier(name);
  }

  async table(name: string): Promise<TableStructure> {
    const { tables } = await this.connection.readStructure([this.fixture.schema]);
    const found = tables.find(({ table }) => table === name);
    if (found === undefined) throw new Error(`The structure has no ${name}: ${tables.map(({ table }) => table)}`);
    return found;
  }

  async columnOf(table: string, name: string): Promise<ColumnStructure | undefined> {
    return (await this.table(table)).columns.find((column) => column.name === name);
  }

  async read(sql: string, options: Partial<StreamOptions> = {}, connection = this.connection): Promise<Answer> {
    const stream = connection.stream(sql, { ...generous, ...options });
    const columns = await stream.columns();
    const rows: WarehouseRow[] = [];
    let batches = 0;
    for await (const batch of stream) {
      batches++;
      rows.push(...batch);
    }
    return { columns, rows, batches, truncated: stream.truncated };
  }
}
