import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import { json } from "node:stream/consumers";
import { z } from "zod";

const jobBody = z.object({
  jobReference: z.object({ jobId: z.string() }),
  configuration: z.object({ dryRun: z.boolean(), query: z.object({ query: z.string() }) }),
});

/** The BigQuery API over a SQLite file. The schema `main` is the dataset. Each column has its declared type. */
export class BigQueryService {
  /** The statements that ran. */
  readonly ran: string[] = [];
  readonly database: DatabaseSync;
  readonly #results = new Map<string, object>();
  readonly #server = createServer((request, response) => void this.#serve(request, response));
  readonly #translate: (sql: string) => string;

  constructor(file: string, translate: (sql: string) => string) {
    this.database = new DatabaseSync(file);
    this.#translate = translate;
  }

  async start(): Promise<string> {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    const address = this.#server.address();
    return `http://127.0.0.1:${address !== null && typeof address === "object" ? address.port : 0}`;
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
    this.database.close();
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = new URL(request.url ?? "/", "http://127.0.0.1").pathname.replace(
      "/bigquery/v2/projects/shop-data/",
      "",
    );
    const [collection, id = "", , table] = path.split("/");
    const body = request.method === "POST" ? await json(request) : undefined;
    const answer =
      collection === "jobs"
        ? this.#run(body)
        : collection === "queries"
          ? this.#results.get(id)
          : this.#describe(id, table);
    response.writeHead(answer === undefined ? 404 : 200, { "Content-Type": "application/json" });
    response.end(JSON.stringify(answer ?? { error: { message: `Not found: ${path}` } }));
  }

  #run(body: unknown): object {
    const { jobReference, configuration } = jobBody.parse(body);
    const sql = configuration.query.query;
    const job = {
      jobReference: { ...jobReference, location: "EU" },
      statistics: { query: { statementType: "SELECT" } },
    };
    if (configuration.dryRun) return job;
    this.ran.push(sql);
    const statement = this.database.prepare(this.#translate(sql));
    statement.setReadBigInts(true);
    const names = statement.columns().map(({ name, type }) => ({ name, type }));
    const rows = statement.all();
    const fields = names.map(({ name, type }) => ({ name, type: apiType(type ?? kindOf(rows[0]?.[name])) }));
    this.#results.set(jobReference.jobId, {
      jobComplete: true,
      jobReference: job.jobReference,
      schema: { fields },
      rows: rows.map((row) => ({ f: names.map(({ name }) => ({ v: row[name] === null ? null : String(row[name]) })) })),
    });
    return job;
  }

  #describe(dataset: string, table: string | undefined): object {
    if (dataset === "") return { datasets: [{ datasetReference: { datasetId: "main" } }] };
    const tables = this.database.prepare("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name").all();
    if (table === undefined) return { tables: tables.map(({ name }) => ({ tableReference: { tableId: name } })) };
    const columns = this.database.prepare("SELECT name, type FROM pragma_table_info(?)").all(table);
    const [count] = this.database.prepare(`SELECT count(*) AS n FROM "${table}"`).all();
    return {
      type: "TABLE",
      schema: { fields: columns.map(({ name, type }) => ({ name, type: apiType(String(type)) })) },
      numRows: String(count?.n),
      lastModifiedTime: String(count?.n),
    };
  }
}

function kindOf(value: SQLInputValue | undefined): string {
  return typeof value === "bigint" ? "INTEGER" : "TEXT";
}

function apiType(type: string): string {
  return type === "TEXT" ? "STRING" : type;
}
