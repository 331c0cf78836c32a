import { PGlite } from "@electric-sql/pglite";
import { vector } from "@electric-sql/pglite-pgvector";
import { PGLiteSocketServer } from "@electric-sql/pglite-socket";

export interface PostgresForTests {
  readonly connectionString: string;
  readonly port: number;
  /** Sends a statement past the store. */
  send(sql: string): Promise<void>;
  /** Ends all connections, and takes no more until `start`. */
  stop(): Promise<void>;
  start(): Promise<void>;
  close(): Promise<void>;
}

/**
 * PostgreSQL 18 with pgvector, in memory, on a port of this machine. It is the real server compiled to WebAssembly
 * (PGlite): Debian 12 has no package of pgvector, so that its PostgreSQL 15 could show a search by words only. It runs
 * the transactions of all clients one after the other.
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
