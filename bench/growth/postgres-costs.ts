/**
 * Measures the costs of an event log in PostgreSQL, on a separate server. Only times are measured, because the server works in other
 * processes.
 */
import { openPostgresEventLog } from "@bridle/store-postgres";
import { PostgresCluster, skipsPostgres } from "../../packages/stores/postgres/tests/postgres-cluster.ts";
import type { Growth } from "./cost.ts";
import { continueSession, list, type OpenEventLog, readEvents, writeTurns } from "./long-sessions.ts";

const sizes = [200, 2000, 20_000] as const;

/** Lists the costs. The server starts with the first cost, and ends with `close`. The list is empty if PostgreSQL is not installed. */
export function postgresGrowths(): { readonly growths: readonly Growth[]; close(): Promise<void> } {
  if (skipsPostgres) return { growths: [], close: async () => {} };
  let cluster: Promise<PostgresCluster> | undefined;
  const written = new Set<string>();
  const open = async (schema: string): Promise<OpenEventLog> => {
    cluster ??= PostgresCluster.create();
    return openPostgresEventLog({ url: (await cluster).url, schema });
  };
  const within = async (schema: string, work: (eventLog: OpenEventLog) => Promise<void>) => {
    const eventLog = await open(schema);
    const startedAt = performance.now();
    await work(eventLog);
    const ms = performance.now() - startedAt;
    await eventLog.close();
    return ms;
  };
  const write = async (size: number) => {
    written.add(`turns_${size}`);
    return within(`turns_${size}`, (eventLog) => writeTurns(eventLog, "long", size));
  };
  const inTurns = (work: (eventLog: OpenEventLog) => Promise<void>) => async (size: number) => {
    if (!written.has(`turns_${size}`)) await write(size);
    return within(`turns_${size}`, work);
  };
  return {
    growths: [
      { name: "PostgreSQL: writing turns of a session", unit: "ms", sizes, cost: write },
      { name: "PostgreSQL: its events", unit: "ms", sizes, cost: inTurns((log) => readEvents(log, "long")) },
      {
        name: "PostgreSQL: its next turn",
        unit: "ms",
        sizes,
        async cost(size) {
          const next = inTurns((eventLog) => continueSession(eventLog, "long", "And now?"));
          await next(size); // the first time stores a snapshot and the parts of the history
          return next(size);
        },
      },
      { name: "PostgreSQL: sessions list --last 1", unit: "ms", sizes, cost: inTurns((log) => list(log, 1)) },
    ],
    close: async () => (await cluster)?.remove(),
  };
}
