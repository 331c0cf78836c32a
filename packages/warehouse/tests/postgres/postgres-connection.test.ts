import type pg from "pg";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { CuttingProxy } from "../../../stores/postgres/tests/cutting-proxy.ts";
import { PostgresCluster, skipsPostgres } from "../../../stores/postgres/tests/postgres-cluster.ts";
import { postgresConnector } from "../../src/connectors/postgres/postgres-connector.ts";
import type { EngineConnection } from "../../src/port/connector.ts";
import { openWarehouse } from "../../src/warehouse/open-warehouse.ts";
import { connectTo, connectWith, openPlain, readAll } from "./open-warehouse.ts";
import { RewritingProxy } from "./rewriting-proxy.ts";
import { shop } from "./shop.ts";

let cluster: PostgresCluster;
let connection: EngineConnection;
let plain: pg.Client;

const many = "SELECT n, repeat('x', 100) AS x FROM generate_series(1, 100000) n";
const endless = "SELECT count(*) FROM generate_series(1, 1000000000000) a, generate_series(1, 1000000) b";

/** Returns the number of the connection's statements that run on the server. */
async function countRunning(): Promise<number> {
  const { rows } = await plain.query(
    "SELECT count(*)::int AS n FROM pg_stat_activity WHERE application_name = 'bridle warehouse' AND state <> 'idle'",
  );
  return rows[0].n;
}

async function untilRunning(count: number): Promise<void> {
  while ((await countRunning()) !== count);
}

describe.skipIf(skipsPostgres)("a connection to PostgreSQL (needs Debian's package postgresql)", () => {
  beforeAll(async () => {
    cluster = await PostgresCluster.create();
    plain = await openPlain(cluster);
    await plain.query(shop);
    connection = await connectTo(cluster);
  });
  afterAll(async () => {
    await connection?.close();
    await plain?.end();
    await cluster?.remove();
  });

  test("it knows its server, its database and its first schema", () => {
    expect(connection.server).toMatchObject({ product: "PostgreSQL", catalog: "postgres", defaultSchema: "public" });
  });

  test.each([1, 99, 100, 101, 2500])("%i rows are read, and the result says that it was cut", async (maxRows) => {
    const stream = connection.stream(many, { maxRows, maxBytes: 100_000_000, timeoutMs: 60_000 });
    let rows = 0;
    for await (const batch of stream) rows += batch.length;
    expect([rows, stream.truncated]).toEqual([maxRows, "rows"]);
    await untilRunning(0);
  });

  test("a result of exactly the limit is not cut", async () => {
    const stream = connection.stream("SELECT generate_series(1, 100)", {
      maxRows: 100,
      maxBytes: 1e6,
      timeoutMs: 60_000,
    });
    let rows = 0;
    for await (const batch of stream) rows += batch.length;
    expect([rows, stream.truncated]).toEqual([100, undefined]);
  });

  test("the limit of bytes ends a result between two rows", async () => {
    const stream = connection.stream(many, { maxRows: 1e6, maxBytes: 10_000, timeoutMs: 60_000 });
    let rows = 0;
    for await (const batch of stream) rows += batch.length;
    expect(stream.truncated).toBe("bytes");
    expect(rows).toBeGreaterThan(70);
    expect(rows).toBeLessThan(100);
  });

  test("all rows arrive once and in order", async () => {
    const rows = await readAll(connection, many, { maxRows: 1e6, maxBytes: 1e9 });
    expect(rows.map(([n]) => n)).toEqual(Array.from({ length: 100_000 }, (_, index) => BigInt(index + 1)));
  });

  test("a statement ends on the server when its reader stops", async () => {
    for await (const _ of connection.stream(many, { maxRows: 1e6, maxBytes: 1e9, timeoutMs: 60_000 })) break;
    await untilRunning(0);
    expect(await readAll(connection, "SELECT 1")).toEqual([[1n]]);
  });

  test("a statement that computes ends on the server when its signal is aborted", async () => {
    const controller = new AbortController();
    const reading = readAll(connection, endless, { signal: controller.signal });
    await untilRunning(1);
    controller.abort();
    await expect(reading).rejects.toMatchObject({ name: "StoppedError", by: "signal" });
    await untilRunning(0);
  });

  test("a signal that is aborted before or between rows ends the statement", async () => {
    await expect(readAll(connection, many, { signal: AbortSignal.abort() })).rejects.toThrow("stopped before it ran");
    const controller = new AbortController();
    const options = { maxRows: 1e6, maxBytes: 1e9, timeoutMs: 60_000, signal: controller.signal };
    const reading = (async () => {
      for await (const _ of connection.stream(many, options)) controller.abort();
    })();
    await expect(reading).rejects.toMatchObject({ name: "StoppedError" });
    await untilRunning(0);
  });

  test("a statement that takes too long is ended by the server", async () => {
    await expect(readAll(connection, endless, { timeoutMs: 300 })).rejects.toMatchObject({
      name: "StatementTimeoutError",
      message: "The statement took longer than 0.3 s and was ended. Read less, or raise the limit.",
    });
    await untilRunning(0);
  });

  test("more statements than connections run one after the other, each with its own rows", async () => {
    const numbers = Array.from({ length: 20 }, (_, index) => index);
    const results = await Promise.all(
      numbers.map((n) => readAll(connection, `SELECT ${n} FROM generate_series(1, 500)`)),
    );
    expect(results.map((rows) => [rows.length, rows[0]?.[0]])).toEqual(numbers.map((n) => [500, BigInt(n)]));
  });

  test("a statement that waits for a connection ends when its signal is aborted", async () => {
    const others = new AbortController();
    const busy = Array.from({ length: 4 }, () => readAll(connection, endless, { signal: others.signal }));
    const failures = Promise.allSettled(busy);
    await untilRunning(4);
    const controller = new AbortController();
    const waiting = readAll(connection, "SELECT 1", { signal: controller.signal });
    controller.abort();
    await expect(waiting).rejects.toMatchObject({ name: "StoppedError" });
    others.abort();
    expect((await failures).map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected", "rejected"]);
    await untilRunning(0);
    expect(await readAll(connection, "SELECT 1")).toEqual([[1n]]);
  });

  test("a failed statement names the problem, and the next one runs", async () => {
    for (const [sql, message] of [
      ["SELECT nope FROM shop.orders", 'Column "nope" does not exist.'],
      ["SELECT 1 / 0", "Division by zero."],
      ["SELECT 'x'::int", 'Invalid input syntax for type integer: "x".'],
      ["SELECT * FROM shop.nothing", 'Relation "shop.nothing" does not exist.'],
      ["SELECT $1", 'Bind message supplies 0 parameters, but prepared statement "" requires 1.'],
    ] as const) {
      await expect(readAll(connection, sql)).rejects.toMatchObject({ name: "InvalidRequestError", message });
    }
    expect(await readAll(connection, "SELECT 1")).toEqual([[1n]]);
  });

  test("a view that fails says so, and the others are read", async () => {
    await plain.query("CREATE VIEW shop.broken AS SELECT 1 / (id - id) AS x FROM shop.customers");
    await expect(readAll(connection, "SELECT * FROM shop.broken")).rejects.toThrow("Division by zero.");
    expect(await readAll(connection, "SELECT count(*) FROM shop.eu")).toEqual([[2n]]);
  });

  test("an error after the first rows reaches the reader", async () => {
    const sql = "SELECT 1 / (5000 - n) FROM generate_series(1, 10000) n";
    await expect(readAll(connection, sql, { maxRows: 1e6 })).rejects.toThrow("Division by zero.");
  });

  test("a connection that is lost between rows is reported, and the next statement connects again", async () => {
    const reading = (async () => {
      for await (const _ of connection.stream(many, { maxRows: 1e6, maxBytes: 1e9, timeoutMs: 60_000 }))
        await plain.query(
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'bridle warehouse'",
        );
    })();
    await expect(reading).rejects.toMatchObject({
      name: "NetworkError",
      message: /^The connection to PostgreSQL at .* was lost/,
    });
    expect(await readAll(connection, "SELECT 1")).toEqual([[1n]]);
    expect((await connection.readStructure(undefined)).tables.length).toBeGreaterThan(5);
  });

  test("a statement is sent again until none of the idle connections that were lost is left", async () => {
    const statements = ["SELECT 1", "SELECT 2", "SELECT 3", "SELECT 4"].map((sql) => readAll(connection, sql));
    expect(await Promise.all(statements)).toEqual([[[1n]], [[2n]], [[3n]], [[4n]]]);
    await plain.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'bridle warehouse'",
    );
    expect(await readAll(connection, "SELECT 5")).toEqual([[5n]]);
  });

  test("a network that breaks in the middle of an answer is reported, and the next statement connects again", async () => {
    let fate: "passed" | "unanswered" = "passed";
    const proxy = await CuttingProxy.create(cluster.url, (message) =>
      message.includes("generate_series") ? fate : "passed",
    );
    onTestFinished(() => proxy.close());
    const through = await connectTo(cluster, { url: proxy.url });
    fate = "unanswered";
    await expect(readAll(through, many)).rejects.toMatchObject({ name: "NetworkError" });
    fate = "passed";
    expect(await readAll(through, "SELECT count(*) FROM generate_series(1, 3)")).toEqual([[3n]]);
    await through.close();
  });

  test("closing ends statements whose rows nobody reads", async () => {
    const other = await connectTo(cluster);
    const stream = other.stream(many, { maxRows: 1e6, maxBytes: 1e9, timeoutMs: 600_000 });
    expect(await stream.columns()).toHaveLength(2);
    const computing = readAll(other, endless, { timeoutMs: 600_000 });
    await untilRunning(2);
    await Promise.all([other.close(), expect(computing).rejects.toMatchObject({ name: "StoppedError" })]);
    await untilRunning(0);
    await other.close();
  });

  test("reading the structure ends when its signal is aborted", async () => {
    await expect(connection.readStructure(undefined, { signal: AbortSignal.abort() })).rejects.toMatchObject({
      name: "StoppedError",
    });
  });

  test("a host that cannot be reached, a database that is missing, and a url that cannot be read are one sentence each", async () => {
    const url = new URL(cluster.url);
    url.port = "1";
    await expect(connectTo(cluster, { url: url.href })).rejects.toMatchObject({
      name: "NetworkError",
      message: /^PostgreSQL at 127\.0\.0\.1:1\/postgres cannot be reached: .*ECONNREFUSED/,
    });
    await expect(connectTo(cluster, { url: "postgresql://a@no-such-host.invalid/x" })).rejects.toMatchObject({
      name: "NetworkError",
    });
    await expect(connectTo(cluster, { database: "nope" })).rejects.toMatchObject({
      name: "ConfigError",
      message: /^PostgreSQL at .*\/nope has no such database\. Correct the name of the database\.$/,
    });
    await expect(connectWith({ type: "postgres", url: "mysql://u:secret@x/y" })).rejects.toThrow(
      "The url of a connection of type postgres is not postgresql://user@host:port/database. Correct it.",
    );
    await expect(connectWith({ type: "postgres", url: "postgresql://u@x/y?ssl=1&options=-c" })).rejects.toThrow(
      "has parameters that cannot be used: ssl, options.",
    );
    await expect(connectWith({ type: "postgres", host: "x" })).rejects.toThrow("has no user");
  });

  test("a server that is too old is refused with the version that is needed", async () => {
    const proxy = await RewritingProxy.create(cluster.url, /15\d\d\d\d/, "110022");
    onTestFinished(() => proxy.close());
    await expect(connectTo(cluster, { url: proxy.url })).rejects.toMatchObject({
      name: "ConfigError",
      message: /^PostgreSQL at .* is version 15\..*\. Bridle needs PostgreSQL 12 or newer\.$/,
    });
  });

  test("a server without room for another connection says so", async () => {
    await plain.query("CREATE ROLE single LOGIN CONNECTION LIMIT 0");
    await expect(connectTo(cluster, { user: "single" })).rejects.toMatchObject({
      name: "NetworkError",
      message: /has too many connections\. Try again later, or raise max_connections\.$/,
    });
  });

  test("a warehouse over the connection applies scope, filters and masking", async () => {
    const warehouse = await openWarehouse({
      name: "w",
      connector: postgresConnector,
      config: {
        type: "postgres",
        url: cluster.url,
        sslmode: "disable",
        include: ["shop"],
        filters: { "shop.customers": "region = 'EU'" },
        sensitive: ["shop.customers.name"],
      },
      context: { projectDir: "/" },
    });
    const result = await warehouse.query("SELECT c.id, c.name FROM shop.customers c ORDER BY id");
    expect(result.rows.map(([id]) => id)).toEqual([1n, 3n]);
    expect(result).toMatchObject({
      filtered: ["shop.customers"],
      masked: expect.arrayContaining(["shop.customers.name"]),
    });
    expect(JSON.stringify(result.rows, (_, value) => String(value))).not.toMatch(/Ada|Zoë/);
    await expect(warehouse.query("SELECT * FROM hidden.secrets")).rejects.toMatchObject({ reason: "unknown_name" });
    await expect(warehouse.query("SELECT * FROM pg_catalog.pg_authid")).rejects.toMatchObject({
      name: "StatementRefusedError",
    });
    await expect(warehouse.query("SELECT shop.bump()")).rejects.toMatchObject({ reason: "effect" });
    await warehouse.close();
  });
});
