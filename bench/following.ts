import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { EventLog } from "@bridle/protocol";
import { openPostgresEventLog } from "@bridle/store-postgres";
import { openStore } from "@bridle/store-sqlite";
import { PostgresCluster, skipsPostgres } from "../packages/stores/postgres/tests/postgres-cluster.ts";
import { runNode } from "./run-process.ts";
import type { Series } from "./statistics.ts";
import { printTable } from "./table.ts";

const program = fileURLToPath(new URL("followed-writer.ts", import.meta.url));

/** Measures the time until a follower sees an event of another process, in SQLite and, if it is installed, in PostgreSQL. */
export async function benchFollowing(events: number, folder: string): Promise<void> {
  const series = [await measureSqlite(events, join(folder, "followed"))];
  if (!skipsPostgres) series.push(await measurePostgres(events));
  printTable("Seeing an event of another process", series, { target: "300 ms at most" });
}

async function measureSqlite(events: number, folder: string): Promise<Series> {
  const store = openStore({ folder });
  try {
    return { name: "in SQLite", values: await delaysOf(store, events, "sqlite", folder) };
  } finally {
    await store.close();
  }
}

async function measurePostgres(events: number): Promise<Series> {
  const cluster = await PostgresCluster.create();
  try {
    const eventLog = await openPostgresEventLog({ url: cluster.url });
    const values = await delaysOf(eventLog, events, "postgres", cluster.url);
    await eventLog.close();
    return { name: "in PostgreSQL", values };
  } finally {
    await cluster.remove();
  }
}

/** Lists the milliseconds from each `append` in another process until this process sees the event. */
async function delaysOf(eventLog: EventLog, events: number, ...place: readonly string[]): Promise<number[]> {
  const end = new AbortController();
  const delays: number[] = [];
  const following = (async () => {
    for await (const { type, time } of eventLog.follow({ sessionId: "followed" }, end.signal)) {
      if (type === "notice") delays.push(Date.now() - time);
      if (type === "run.finished") end.abort();
    }
  })();
  const writing = runNode([...process.execArgv, program, ...place, String(events)]).catch((error: unknown) => {
    end.abort();
    throw error;
  });
  await Promise.all([following, writing]);
  return delays;
}
