import { PGlite } from "@electric-sql/pglite";
import { vector } from "@electric-sql/pglite-pgvector";
import { PGLiteSocketServer } from "@electric-sql/pglite-socket";

export interface PostgresForTests {
  readonly connectionString: string;
  readonly port: number;
  /** Sends a statement without the store. */
  send(sql: string): Promise<void>;
  /** Ends all connections, and accepts no new ones until `start`. */
  stop(): Promise<void>;
  start(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Starts PostgreSQL 18 with pgvector, in memory, on a local port: the real server compiled to WebAssembly (PGlite). Debian 12 packages
 * PostgreSQL 15 without pgvector, with which only keyword searches could be tested. All transactions run one after the other.
 */
export async function startPostgres(options: { readonly vectors: boolean }): Promise<PostgresForTests> {
  const database = await PGlite.create(options.vectors ? { extensions: { vector } } : {});
  let server = await serve(database, 0);
  const port = Number(server.getServerConn().split(":").at(-1));
  return {
    connectionString: `postgresql://postgres:secret@127.0.0.1:${port}/postgres?sslmode=disable`,
    port,
    async send(sql) {
      await database.exec(sql);
    },
    stop: () => server.stop(),
    async start() {
      server = await serve(database, port);
    },
    async close() {
      await server.stop();
      await database.close();
    },
  };
}

async function serve(db: PGlite, port: number): Promise<PGLiteSocketServer> {
  const server = new PGLiteSocketServer({ db, host: "127.0.0.1", port, maxConnections: 20 });
  await server.start();
  return server;
}
