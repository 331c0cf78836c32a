import { omitUndefined } from "@bridle/protocol";
import type { ConnectContext, EngineConnection } from "../../../port/connector.ts";
import { ProcessConnection } from "../../../processes/process-connection.ts";
import { startProgram } from "../../../processes/start-program.ts";
import type { DuckDbConfig } from "../config.ts";
import { loadDuckDb } from "../driver.ts";

/** The memory that the process needs in addition to DuckDB's limit: definitions, statistics, result values, and Node.js. */
const besideBytes = 1_000_000_000;

const defaultMemory = "1GB";

const units: Readonly<Record<string, number>> = { k: 1e3, m: 1e6, g: 1e9, t: 1e12 };

/** Returns the number of bytes in a size such as `2GB`. `GiB` counts as `GB`; the small difference does not matter here. */
function bytesOf(size: string): number {
  const [, number = "0", unit = ""] = /^([\d.]+) ?([KMGT])/i.exec(size) ?? [];
  return Number(number) * (units[unit.toLowerCase()] ?? 1);
}

/** @throws ConfigError if the driver is not installed, or DuckDB's own errors. */
export async function openDuckDbProcess(
  { type, file, files, memory, threads }: DuckDbConfig,
  { projectDir, signal }: ConnectContext,
): Promise<EngineConnection> {
  await loadDuckDb();
  const config = omitUndefined({ type, file, files, memory, threads });
  const max = bytesOf(memory ?? defaultMemory) + besideBytes;
  const start = () => startProgram("duckdb-process", import.meta.url, [String(max)]);
  return ProcessConnection.open({ product: "DuckDB", config, projectDir, start }, signal);
}
