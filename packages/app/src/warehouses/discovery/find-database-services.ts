import { join } from "node:path";
import { readTextFile } from "@bridle/core";
import { connectionNameFrom, type FoundDatabase } from "./found-database.ts";

/** Finds the PostgreSQL services and the MySQL client settings in the home folder. Reads no passwords. */
export async function findDatabaseServices(home: string): Promise<FoundDatabase[]> {
  const [services, client] = await Promise.all([
    readSections(join(home, ".pg_service.conf")),
    readSections(join(home, ".my.cnf")),
  ]);
  const postgres = [...services].map(([name, { host = "localhost", port, user, dbname }]) =>
    serverEntry(connectionNameFrom(name), `the service ${name} of ~/.pg_service.conf`, "postgres", {
      host,
      port,
      user,
      database: dbname ?? user,
    }),
  );
  const mysql = client.get("client");
  if (mysql?.database === undefined) return postgres;
  const { host = "localhost", port, user, database } = mysql;
  return [...postgres, serverEntry("mysql", "~/.my.cnf", "mysql", { host, port, user, database })];
}

function serverEntry(
  name: string,
  source: string,
  type: string,
  { host, port, user, database }: Readonly<Record<"host" | "port" | "user" | "database", string | undefined>>,
): FoundDatabase {
  const password = `\${${name.toUpperCase()}_PASSWORD}`;
  const place = { ...(port !== undefined && { port: Number(port) }), ...(user !== undefined && { user, password }) };
  return { name, source, connection: { type, host, ...place, ...(database !== undefined && { database }) } };
}

async function readSections(file: string): Promise<Map<string, Record<string, string>>> {
  const sections = new Map<string, Record<string, string>>();
  let section: Record<string, string> = {};
  for (const line of (await readTextFile(file).catch(() => "")).split("\n")) {
    const title = /^\s*\[([^\]]+)\]/.exec(line)?.[1];
    if (title !== undefined) {
      section = {};
      sections.set(title, section);
    }
    const [, key, value] = /^\s*([\w-]+)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
    if (key !== undefined && value !== undefined) section[key] = value;
  }
  return sections;
}
