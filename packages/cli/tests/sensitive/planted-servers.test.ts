/** Plants the same sensitive values on real servers. Nothing that is written, answered or printed may contain any of them. */
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Client } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { skipsPostgres } from "../../../stores/postgres/tests/postgres-cluster.ts";
import { skipsMariaDb } from "../../../warehouse/tests/mysql/mariadb-server.ts";
import { callForText } from "../mcp/context-fixture.ts";
import { connectToCommand } from "../mcp/mcp-fixture.ts";
import { createPlace, type Place, startCommand } from "../support/command.ts";
import { PlantedDatabase } from "./planted-database.ts";
import { type PlantedServer, plantInMariaDb, plantInPostgres } from "./planted-servers.ts";
import { statementsFor } from "./planted-statements.ts";

const servers = [
  ["PostgreSQL", plantInPostgres, skipsPostgres],
  ["MariaDB", plantInMariaDb, skipsMariaDb],
] as const;

describe.each(servers)("planted values on %s (needs Debian's package)", (_product, plant, isSkipped) => {
  let place: Place;
  let planted: PlantedDatabase;
  let server: PlantedServer;
  beforeAll(async () => {
    if (isSkipped) return;
    place = await createPlace();
    planted = new PlantedDatabase(place.home);
    server = await plant(join(place.home, "shop.db"), planted.tables);
    const sensitive = planted.marked.map((name) => name.replace(/^main/, server.schema));
    const connection = { ...server.connection, include: [server.schema], sensitive };
    await writeFile(
      join(place.project, "bridle.yaml"),
      JSON.stringify({ context: { connections: { shop: connection } } }),
    );
    const scan = await bridle("context", "scan");
    expect(scan).toContain("(0)");
    expectClean("scan", scan);
  });
  afterAll(async () => {
    await place?.remove();
    await server?.remove();
  });

  async function bridle(...words: string[]): Promise<string> {
    const command = startCommand(words, place);
    const code = await command.ended;
    return `${words.join(" ")} (${code})\n${command.stdout()}\n${command.stderr()}`;
  }

  function expectClean(where: string, text: string): void {
    expect({ where, found: planted.values.findIn(text) }).toEqual({ where, found: [] });
  }

  async function expectCleanFiles(): Promise<void> {
    const entries = await readdir(place.project, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
    expect(files.some((path) => path.endsWith("facts.sqlite"))).toBe(true);
    for (const path of files) expectClean(path, await readFile(path, "latin1"));
  }

  async function answerOf(client: Client, name: string, input: Record<string, unknown>): Promise<string> {
    return callForText(client, name, input).catch(String);
  }

  test.skipIf(isSkipped)("a scan writes none of them, and the commands about it print none", async () => {
    for (const name of ["people", "notes", "documents"])
      expectClean(name, await bridle("context", "show", `shop.${server.schema}.${name}`, "--json"));
    expectClean("joins", await bridle("context", "joins", "--json"));
    await expectCleanFiles();
  });

  test.skipIf(isSkipped)("no answer of the MCP server has one of them, whatever a client asks", async () => {
    const { client, stderr } = await connectToCommand(place);
    let answered = 0;
    for (const { name, columns } of planted.tables) {
      const table = `shop.${server.schema}.${name}`;
      expectClean(`describe ${name}`, await answerOf(client, "describe", { name: table }));
      expectClean(`find_value in ${name}`, await answerOf(client, "find_value", { value: "R-7 fine", table }));
      const statements = statementsFor({ name, columns }).filter((_, index) => index % 5 === 0);
      for (const statement of statements.map(server.translate)) {
        const answer = await answerOf(client, "run_sql", { statement });
        expectClean(statement, answer);
        if (/\| --- /.test(answer)) answered += 1;
      }
    }
    expect(answered).toBeGreaterThan(20);
    expectClean("standard error", stderr());
    await expectCleanFiles();
  });

  test.skipIf(isSkipped)("bridle sql prints none of them in any format", async () => {
    for (const [table, ...format] of [["people"], ["notes", "--csv"], ["documents", "--json"]]) {
      const printed = await bridle("sql", "shop", `SELECT * FROM ${table} ORDER BY id DESC LIMIT 1000`, ...format);
      expect(printed).toContain("(0)");
      expectClean(`${table} ${format}`, printed);
    }
  });
});
