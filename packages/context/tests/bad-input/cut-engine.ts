import type {
  CatalogOptions,
  EngineConnection,
  ResultColumn,
  RowStream,
  StreamOptions,
  TableName,
  WarehouseRow,
} from "@bridle/warehouse";

/** A connection that is cut before its caller's second statement. */
export class CutEngine implements EngineConnection {
  readonly #engine: EngineConnection;
  readonly #cut: () => Promise<void>;
  #streams = 0;

  constructor(engine: EngineConnection, cut: () => Promise<void>) {
    this.#engine = engine;
    this.#cut = cut;
  }

  get server() {
    return this.#engine.server;
  }

  get statements(): number {
    return this.#engine.statements;
  }

  readStructure(schemas: readonly string[] | undefined, options?: CatalogOptions) {
    return this.#engine.readStructure(schemas, options);
  }

  readChangeMarks(tables: readonly TableName[], options?: CatalogOptions) {
    return this.#engine.readChangeMarks(tables, options);
  }

  stream(sql: string, options: StreamOptions): RowStream {
    const stream = this.#engine.stream(sql, options);
    this.#streams += 1;
    return this.#streams === 2 ? new CutStream(stream, this.#cut) : stream;
  }

  inspectSafety() {
    return this.#engine.inspectSafety();
  }

  close(): Promise<void> {
    return this.#engine.close();
  }
}

class CutStream implements RowStream {
  readonly #stream: RowStream;
  readonly #cut: () => Promise<void>;

  constructor(stream: RowStream, cut: () => Promise<void>) {
    this.#stream = stream;
    this.#cut = cut;
  }

  get truncated(): "rows" | "bytes" | undefined {
    return this.#stream.truncated;
  }

  columns(): Promise<readonly ResultColumn[]> {
    return this.#stream.columns();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<readonly WarehouseRow[]> {
    await this.#cut();
    yield* this.#stream;
  }
}
