/** Copies of the planted tables on real servers. */
import { DatabaseSync } from "node:sqlite";
import { PostgresCluster } from "../../../stores/postgres/tests/postgres-cluster.ts";
import { MariaDbServer } from "../../../warehouse/tests/mysql/mariadb-server.ts";
import type { PlantedTable } from "./planted-database.ts";

export interface PlantedServer {
  /** The schema of the tables. */
  readonly schema: string;
  /** The server's settings in `bridle.yaml`. */
  readonly connection: Readonly<Record<string, unknown>>;
  /** Translates a SQLite statement to the server's dialect. */
  translate(statement: string): string;
  remove(): Promise<void>;
}

const rowsPerStatement = 500;

/** Returns the statements that create a table of a SQLite file again. Values are texts without escapes. */
function copyOf(file: string, { name, columns }: PlantedTable, textType: string): readonly string[] {
  using database = new DatabaseSync(file, { readOnly: true });
  const rows = database.prepare(`SELECT ${["id", ...columns].join(", ")} FROM ${name}`).all();
  const literal = (value: unknown) => (value === null ? "NULL" : `'${String(value).replaceAll("'", "''")}'`);
  const lines = rows.map((row) => `(${["id", ...columns].map((column) => literal(row[column])).join(", ")})`);
  const parts = Array.from({ length: Math.ceil(lines.length / rowsPerStatement) }, (_, part) =>
    lines.slice(part * rowsPerStatement, (part + 1) * rowsPerStatement),
  );
  return [
    `CREATE TABLE ${name} (id INTEGER, ${columns.map((column) => `${column} ${textType}`).join(", ")})`,
    ...parts.map((part) => `INSERT INTO ${name} VALUES ${part.join(", ")}`),
  ];
}

export async function plantInPostgres(file: string, tables: readonly PlantedTable[]): Promise<PlantedServer> {
  const cluster = await PostgresCluster.create();
  for (const table of tables) for (const statement of copyOf(file, table, "text")) await cluster.send(statement);
  return {
    schema: "public",
    connection: { type: "postgres", url: cluster.url, sslmode: "disable" },
    translate: (statement) =>
      statement
        .replaceAll("group_concat(", "string_agg(")
        .replaceAll(/json_extract\((\w+), '\$\.a'\)/g, "$1::json ->> 'a'")
        .replaceAll(/\bhex\((\w+)\)/g, "encode(convert_to($1, 'UTF8'), 'hex')")
        .replaceAll(" AS DOUBLE)", " AS DOUBLE PRECISION)"),
    remove: () => cluster.remove(),
  };
}

export async function plantInMariaDb(file: string, tables: readonly PlantedTable[]): Promise<PlantedServer> {
  const server = await MariaDbServer.create();
  await server.send("CREATE DATABASE shop CHARACTER SET utf8mb4");
  for (const table of tables) await server.send("USE shop", ...copyOf(file, table, "VARCHAR(300)"));
  return {
    schema: "shop",
    connection: { type: "mysql", socket: server.socket, user: "root", database: "shop" },
    translate: (statement) =>
      statement
        .replaceAll(/group_concat\((\w+), ', '\)/g, "group_concat($1 SEPARATOR ', ')")
        .replaceAll(" AS INTEGER)", " AS SIGNED)")
        .replaceAll(/'<' \|\| (\w+) \|\| '>'/g, "concat('<', $1, '>')"),
    remove: () => server.remove(),
  };
}
