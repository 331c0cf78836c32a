import { appendEvents } from "@bridle/conformance";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { openPostgresEventLog, type PostgresEventLog } from "../src/index.ts";
import { begun, question } from "./log-drafts.ts";
import { PostgresCluster, skipsPostgres } from "./postgres-cluster.ts";

const ids = Array.from({ length: 50 }, (_, at) => `q${at}`);

let cluster: PostgresCluster;

/** Opens an event log whose owner does not renew its lease during a test, so that every statement comes from waiting. */
async function open(): Promise<PostgresEventLog> {
  const eventLog = await openPostgresEventLog({ url: cluster.url, schema: "waiting", leaseMs: 600_000 });
  onTestFinished(() => eventLog.close());
  return eventLog;
}

/** Counts the statements that this process sends in three seconds while these questions wait. */
async function countStatements({ approvals }: PostgresEventLog, waiting: readonly string[]): Promise<number> {
  const stops = waiting.map((id) => approvals.watch(id, { onAnswer() {} }));
  await new Promise((resolve) => setTimeout(resolve, 1500)); // by now there is a connection for notifications
  const query = vi.spyOn(pg.Client.prototype, "query");
  await new Promise((resolve) => setTimeout(resolve, 3000));
  const count = query.mock.calls.length;
  query.mockRestore();
  for (const stop of stops) stop();
  return count;
}

describe.skipIf(skipsPostgres)("questions that wait in PostgreSQL (needs Debian's package postgresql)", () => {
  beforeAll(async () => {
    cluster = await PostgresCluster.create();
  });
  afterAll(() => cluster?.remove());

  test("50 cost as few statements as one, and an answer of another owner arrives before the next regular look", {
    timeout: 180_000,
  }, async () => {
    const [asking, answering] = [await open(), await open()];
    await appendEvents(asking, { runId: "a", sessionId: "s" }, begun, ...ids.map(question));
    const one = await countStatements(asking, ids.slice(0, 1));
    const all = await countStatements(asking, ids);
    expect(one).toBeGreaterThan(0);
    for (const count of [one, all]) expect(count).toBeLessThanOrEqual(6); // one or two checks, each in a transaction

    const told = new Map<string, number>();
    for (const id of ids) asking.approvals.watch(id, { onAnswer: () => told.set(id, performance.now()) });
    await new Promise((resolve) => setTimeout(resolve, 1500));
    const took: number[] = [];
    for (const id of ids.slice(0, 9)) {
      const answeredAt = performance.now();
      void answering.approvals.answer(id, { decision: "allow", inputHash: "h" });
      await expect.poll(() => told.get(id), { timeout: 10_000, interval: 10 }).toBeDefined();
      took.push((told.get(id) ?? 0) - answeredAt);
    }
    expect(took.toSorted((a, b) => a - b)[4]).toBeLessThan(500); // a regular check would take 2,000 ms
    for (const id of ids.slice(9)) void answering.approvals.answer(id, { decision: "allow", inputHash: "h" });
    await expect.poll(() => told.size, { timeout: 30_000 }).toBe(ids.length);
    await new Promise((resolve) => setTimeout(resolve, 4000)); // by now, no answer waits for a run any more
  });
});
