/** Creates DuckDB files for tests, in a folder that is removed afterwards. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { DuckDBInstance } from "@duckdb/node-api";
import { duckdbConnector } from "../../src/connectors/duckdb/connector.ts";
import type { EngineConnection, WarehouseRow } from "../../src/index.ts";

export class TestFolder {
  readonly path = mkdtempSync(join(tmpdir(), "bridle-duckdb-"));

  file(name: string): string {
    return join(this.path, name);
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}

/** Opens an instance that may write. Waits until the tests' connections have closed the file, because they run in separate processes. */
export async function openForWriting(file: string): Promise<DuckDBInstance> {
  for (let tries = 0; ; tries++) {
    try {
      return await DuckDBInstance.create(file);
    } catch (error) {
      if (tries === 600 || !/lock/i.test(String(error))) throw error;
      await sleep(50);
    }
  }
}

/** Runs statements on an instance that may write, and closes it. */
export async function runPlainly(
  file: string,
  ...statements: readonly string[]
): Promise<readonly (readonly unknown[])[]> {
  const instance = await openForWriting(file);
  const connection = await instance.connect();
  try {
    let rows: readonly (readonly unknown[])[] = [];
    for (const sql of statements) rows = (await connection.runAndReadAll(sql)).getRowsJson();
    return rows;
  } finally {
    connection.disconnectSync();
    instance.closeSync();
  }
}

type Settings = Omit<Parameters<typeof duckdbConnector.connect>[0], "type">;

export function connectTo(settings: Settings, projectDir = "/"): Promise<EngineConnection> {
  return duckdbConnector.connect({ type: "duckdb", ...settings }, { projectDir });
}

const generous = { maxRows: 1_000_000, maxBytes: 1_000_000_000, timeoutMs: 120_000 };

export async function readAll(connection: EngineConnection, sql: string): Promise<readonly WarehouseRow[]> {
  const rows: WarehouseRow[] = [];
  for await (const batch of connection.stream(sql, generous)) rows.push(...batch);
  return rows;
}
