import { appendEvents, storeArtifacts, testEventLog } from "@bridle/conformance";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { openPostgresEventLog, type PostgresEventLog, type PostgresEventLogOptions } from "../src/index.ts";
import { begun, finished } from "./log-drafts.ts";
import { PostgresCluster, skipsPostgres } from "./postgres-cluster.ts";

let cluster: PostgresCluster;
let schemas = 0;

async function open(options: Partial<PostgresEventLogOptions> = {}): Promise<PostgresEventLog> {
  const schema = options.schema ?? `log ${schemas++}`;
  const eventLog = await openPostgresEventLog({ url: cluster.url, patienceMs: 5000, ...options, schema });
  onTestFinished(() => eventLog.close());
  return eventLog;
}

describe.skipIf(skipsPostgres)("PostgreSQL (needs Debian's package postgresql)", () => {
  beforeAll(async () => {
    cluster = await PostgresCluster.create();
  });
  afterAll(() => cluster?.remove());

  testEventLog("the event log in PostgreSQL", { open });

  test("tables of a later version are refused with a sentence, and not changed", async () => {
    await (await open({ schema: "later" })).close();
    await cluster.send("UPDATE later.format SET version = 99");
    await expect(open({ schema: "later" })).rejects.toMatchObject({
      code: "store_version",
      message: expect.stringMatching(
        /^The event log PostgreSQL \(127\.0\.0\.1:\d+\/postgres, schema later\) has format 99, but this version of Bridle supports at most 3\./,
      ),
    });
    expect(await cluster.send("SELECT version FROM later.format")).toEqual([{ version: 99 }]);
  });

  test.each([
    [1, "DROP TABLE v1.snapshots; DROP TABLE v1.limits"],
    [2, "DROP TABLE v2.limits"],
  ])("tables of version %i are migrated, with their sessions", async (version, removal) => {
    const schema = `v${version}`;
    const first = await open({ schema });
    await appendEvents(first, { runId: "a", sessionId: "s" }, begun, finished);
    const events = await first.read({ sessionId: "s" });
    await first.close();
    await cluster.send(`${removal}; UPDATE ${schema}.format SET version = ${version}`);
    const migrated = await open({ schema });
    expect(await migrated.read({ sessionId: "s" })).toEqual(events);
    expect(await migrated.addSnapshot("s", { after: 0, seq: 2, content: "c" })).toBe(true);
    expect(await migrated.limits.replace("ada", undefined, { window: "five_hour", resetsAt: 1 })).toBe(true);
  });

  test("several processes can create the tables at the same time", async () => {
    const logs = await Promise.all([1, 2, 3, 4].map(() => open({ schema: "at once" })));
    expect(await Promise.all(logs.map((eventLog) => eventLog.runs()))).toEqual([[], [], [], []]);
  });

  test("a database with an encoding that cannot hold every text is refused", async () => {
    await cluster.send("CREATE DATABASE latin ENCODING 'LATIN1' TEMPLATE template0");
    const url = cluster.url.replace(/postgres$/, "latin");
    await expect(open({ url })).rejects.toThrow("has the encoding LATIN1, which cannot hold every text.");
  });

  test.each([
    [
      "a server that is not there",
      () => "postgresql://x:secret@127.0.0.1:1/x",
      "cannot be reached: connect ECONNREFUSED",
    ],
    ["a database that does not exist", () => cluster.url.replace(/postgres$/, "none"), "Create that database"],
    ["a url that is none", () => "nonsense", "PostgreSQL (schema"],
  ])("%s is refused with a sentence that names no password", async (_title, url, sentence) => {
    const failure = await openPostgresEventLog({ url: url() }).catch((error: unknown) => error);
    expect(failure).toMatchObject({ message: expect.stringContaining(sentence) });
    expect(String(failure)).not.toContain("secret");
  });

  test("what a session repeats in every turn is stored once", async () => {
    const eventLog = await open({ schema: "parts" });
    const turns = Array.from({ length: 40 }, (_, index) => `${index} `.repeat(2000));
    const ids: string[] = [];
    for (const [index] of turns.entries()) {
      ids.push(
        ...(await storeArtifacts(eventLog, { runId: "a", sessionId: "s" }, turns.slice(0, index + 1).join("\n"))),
      );
    }
    const written = turns.join("\n").length;
    const [row] = await cluster.send("SELECT sum(length(content))::integer AS bytes FROM parts.parts");
    expect(Number(row?.bytes)).toBeLessThan(3 * written);
    for (const [index, id] of ids.entries())
      expect(await eventLog.artifact(id)).toBe(turns.slice(0, index + 1).join("\n"));
    await eventLog.removeSession("s");
    expect(await cluster.send("SELECT 1 FROM parts.parts UNION ALL SELECT 1 FROM parts.contents")).toEqual([]);
  });

  test("lists of runs and sessions use indexes, and read no events", async () => {
    const eventLog = await open({ schema: "lists" });
    await appendEvents(eventLog, { runId: "a", sessionId: "s" }, begun, finished);
    await cluster.send(
      `INSERT INTO lists.streams (kind, name) SELECT 'session', 'many ' || n FROM generate_series(1, 20000) n`,
    );
    await cluster.send(
      `INSERT INTO lists.sessions SELECT id, id, id, 1, 1, '{}' FROM lists.streams WHERE name LIKE 'many %'`,
    );
    await cluster.send("ANALYZE lists.sessions, lists.streams");
    const page = await eventLog.sessions({ last: 50 });
    const [last] = page.slice(-1);
    expect(page).toHaveLength(50);
    const next = await eventLog.sessions({ last: 50, ...(last && { after: last }) });
    expect(new Set([...page, ...next].map(({ sessionId }) => sessionId)).size).toBe(100);
    const plan = await cluster.send(
      `EXPLAIN SELECT * FROM lists.sessions JOIN lists.streams ON id = stream
       WHERE last_at <= 10000 AND (last_at < 10000 OR name < 'many 9') ORDER BY last_at DESC, name DESC LIMIT 50`,
    );
    expect(JSON.stringify(plan)).toContain("sessions_by_time");
  });
});
