import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { z } from "zod";
import { defaultLimits } from "../../src/port/limits.ts";
import { errorOf, readAll } from "../support/reading.ts";
import { type BigQueryAnswer, fail } from "./bigquery-server.ts";
import { bigqueryRefusals } from "./bigquery-statements.ts";
import { openBigQuery } from "./open-bigquery.ts";

const numbers: BigQueryAnswer = {
  fields: [{ name: "n", type: "INTEGER" }],
  rows: Array.from({ length: 1_200 }, (_, n) => [String(n)]),
};
const sentJob = z.object({ jobReference: z.object({ jobId: z.string() }), configuration: z.unknown() });

test("each statement of BigQuery is tried, and runs with limits and an identifier of its own", async () => {
  const { server, connection } = await openBigQuery(() => numbers, { location: "EU", maximumBytesBilled: 1_000 });
  const { rows, columns } = await readAll(connection, "SELECT n FROM orders", { maxRows: 5_000, timeoutMs: 7_000 });
  expect([rows.length, rows[1_199], columns]).toEqual([
    1_200,
    [1_199n],
    [{ name: "n", type: "integer", nativeType: "INT64" }],
  ]);
  expect([server.tried, server.ran, server.cancelled]).toEqual([
    ["SELECT n FROM orders"],
    ["SELECT n FROM orders"],
    [],
  ]);
  expect(connection.statements).toBe(1);
  const [dryRun, job] = server.requests.map(({ body }) => body).filter((body) => body !== undefined);
  expect(sentJob.parse(dryRun).configuration).toMatchObject({ dryRun: true });
  expect(job).toMatchObject({
    jobReference: { location: "EU", jobId: expect.stringMatching(/^bridle_[0-9a-f-]{36}$/) },
    configuration: { dryRun: false, jobTimeoutMs: "7000", query: { maximumBytesBilled: "1000", useLegacySql: false } },
  });
});

test("the pages of a result of BigQuery are read with their tokens, and no more of them than are needed", async () => {
  const { server, connection } = await openBigQuery(() => numbers);
  server.pageRows = 500;
  expect((await readAll(connection, "SELECT n FROM orders", { maxRows: 5_000 })).rows.length).toBe(1_200);
  const pages = () => server.requests.filter(({ path }) => path.startsWith("/queries/")).length;
  expect(pages()).toBe(3);
  const cut = await readAll(connection, "SELECT n FROM orders", { maxRows: 700 });
  expect([cut.rows.length, cut.truncated, pages()]).toEqual([700, "rows", 5]);
  for await (const batch of connection.stream("SELECT n FROM orders", defaultLimits)) {
    expect(batch.length).toBe(500);
    break;
  }
  expect(pages()).toBe(6);
  expect((await readAll(connection, "SELECT n FROM orders", { maxBytes: 100 })).truncated).toBe("bytes");
});

test("a job of BigQuery that is not done is asked about again", async () => {
  const { server, connection } = await openBigQuery(() => ({ ...numbers, polls: 3 }));
  expect((await readAll(connection, "SELECT n FROM orders", { maxRows: 5_000 })).rows.length).toBe(1_200);
  expect(server.ran.length).toBe(1);
});

test("a job of BigQuery whose insertion had no answer is inserted again, and runs once", async () => {
  const { server, connection } = await openBigQuery(() => numbers);
  const jobs: unknown[] = [];
  server.intercept = ({ path, body }, response) => {
    if (path !== "/jobs" || server.tried.length === 0) return false;
    jobs.push(body);
    if (jobs.length > 1) return false;
    // The service accepts the job, and the connection breaks before the answer arrives.
    response.end = () => response.destroy();
    return false;
  };
  expect((await readAll(connection, "SELECT n FROM orders", { maxRows: 5_000 })).rows.length).toBe(1_200);
  expect([server.ran.length, jobs.length]).toEqual([1, 2]);
  expect(jobs[1]).toEqual(jobs[0]);
});

test("BigQuery is asked again after faults that pass, also in the middle of a result", async () => {
  const { server, connection } = await openBigQuery(() => numbers);
  server.pageRows = 700;
  const faults = [
    [503, "backendError", "Try again"],
    [429, "rateLimitExceeded", "Too fast"],
    [403, "rateLimitExceeded", "Too fast"],
    [500, "backendError", "Try again"],
  ] as const;
  const seen = new Set<string>();
  server.intercept = ({ path, query }, response) => {
    const step = `${path.split("/")[1]} ${query.has("pageToken")} ${server.tried.length}`;
    const fault = seen.has(step) ? undefined : faults[seen.size % faults.length];
    seen.add(step);
    if (fault !== undefined) fail(response, fault);
    return fault !== undefined;
  };
  expect((await readAll(connection, "SELECT n FROM orders", { maxRows: 5_000 })).rows.length).toBe(1_200);
  expect([seen.size, server.ran.length]).toEqual([4, 1]);
});

test("a connection that breaks in the middle of a result of BigQuery is an error, and no short result", async () => {
  const { server, connection } = await openBigQuery(() => numbers);
  server.pageRows = 700;
  server.intercept = ({ query }, response) => {
    if (!query.has("pageToken")) return false;
    response.destroy();
    return true;
  };
  expect(await errorOf(readAll(connection, "SELECT n FROM orders", { maxRows: 5_000 }))).toMatchObject({
    code: "network",
    message: expect.stringMatching(/^The connection to BigQuery at 127.0.0.1:\d+ was lost .+ Try again\.$/),
  });
});

test("an answer of BigQuery that is no JSON, and a result whose table is gone, are errors", async () => {
  const { server, connection } = await openBigQuery(() => numbers);
  server.pageRows = 700;
  server.intercept = ({ query }, response) => {
    if (query.has("pageToken")) response.end("<html>");
    return query.has("pageToken");
  };
  expect(await errorOf(readAll(connection, "SELECT n FROM orders", { maxRows: 5_000 }))).toMatchObject({
    message: "BigQuery sent an answer that cannot be read. Try again, or check endpoint.",
  });
  server.intercept = ({ query }, response) => {
    if (query.has("pageToken")) fail(response, [404, "notFound", "Not found: Table shop-data:_x.anon"]);
    return query.has("pageToken");
  };
  expect(await errorOf(readAll(connection, "SELECT n FROM orders", { maxRows: 5_000 }))).toMatchObject({
    code: "invalid_request",
    message: "Not found: Table shop-data:_x.anon.",
  });
});

test("an aborted signal cancels the job of BigQuery", async () => {
  const { server, connection } = await openBigQuery(() => ({ isEndless: true }));
  const controller = new AbortController();
  const reading = errorOf(readAll(connection, "SELECT n FROM silent", { signal: controller.signal }));
  while (server.ran.length === 0) await sleep(10);
  controller.abort();
  expect(await reading).toMatchObject({ code: "stopped" });
  expect([server.cancelled.length, server.running]).toEqual([1, 0]);
  expect(await errorOf(readAll(connection, "SELECT 1", { signal: controller.signal }))).toMatchObject({
    code: "stopped",
  });
  expect(server.tried).toEqual(["SELECT n FROM silent"]);
});

test("a signal that is aborted while a job of BigQuery is inserted cancels the job", async () => {
  const { server, connection } = await openBigQuery(() => ({ isEndless: true }));
  const controller = new AbortController();
  server.intercept = ({ path }) => {
    if (path === "/jobs" && server.tried.length > 0) controller.abort();
    return false;
  };
  const reading = readAll(connection, "SELECT n FROM silent", { signal: controller.signal });
  expect(await errorOf(reading)).toMatchObject({ code: "stopped" });
  expect([server.ran.length, server.cancelled.length, server.running]).toEqual([1, 1, 0]);
});

test("a statement of BigQuery that takes too long is a timeout, by its own answer or without one", async () => {
  const { server, connection } = await openBigQuery((sql) =>
    sql.includes("silent")
      ? { isEndless: true }
      : { jobError: [499, "stopped", "Job execution was cancelled: Job timed out after 1s"] },
  );
  expect(await errorOf(readAll(connection, "SELECT n FROM slow", { timeoutMs: 1_000 }))).toMatchObject({
    code: "timeout",
    message: "The statement took longer than 1 s and was ended. Read less, or raise the limit.",
  });
  expect(await errorOf(readAll(connection, "SELECT n FROM silent", { timeoutMs: 1 }))).toMatchObject({
    code: "timeout",
  });
  expect(server.running).toBe(0);
});

const failures: readonly (readonly [string, BigQueryAnswer, object])[] = [
  [
    "a statement that is wrong",
    { error: [400, "invalidQuery", "Unrecognized name: x at [1:8]"] },
    { code: "invalid_request", message: "Unrecognized name: x at [1:8]." },
  ],
  [
    "a table that the account may not read",
    { error: [403, "accessDenied", "Access Denied: Table shop-data:shop.orders: User does not have permission"] },
    { code: "invalid_request", message: expect.stringMatching(/^Access Denied: Table shop-data:shop.orders/) },
  ],
  [
    "a value that cannot be computed",
    { jobError: [400, "invalidQuery", "division by zero: 1 / 0"] },
    { code: "invalid_request", message: "division by zero: 1 / 0." },
  ],
  [
    "a statement that reads too many bytes",
    {
      jobError: [
        500,
        "bytesBilledLimitExceeded",
        "Query exceeded limit for bytes billed: 1000. 9999 or higher required.",
      ],
    },
    {
      code: "invalid_request",
      message:
        "The statement would read 12345 bytes, and maximumBytesBilled is 1000. Read fewer columns or partitions, or raise it.",
    },
  ],
  [
    "a quota that is used up",
    { jobError: [403, "quotaExceeded", "Quota exceeded: Your project exceeded quota for free query bytes scanned."] },
    {
      code: "rate_limit",
      message: expect.stringMatching(/^A quota of shop-data is used up \(Quota exceeded: .+\)\. Raise it/),
    },
  ],
  [
    "limits of requests that do not pass",
    { error: [403, "rateLimitExceeded", "Exceeded rate limits: too many concurrent queries"] },
    { code: "rate_limit", message: expect.stringMatching(/^BigQuery limits the requests of shop-data/) },
  ],
  [
    "a fault of the service that does not pass",
    { error: [503, "backendError", "Error encountered during execution. Retrying may solve the problem."] },
    { code: "overloaded", message: expect.stringMatching(/^BigQuery reports an internal error \(Error encountered/) },
  ],
];

test.each(failures)("BigQuery says why it does not run %s", async (_, answer, expected) => {
  const { connection } = await openBigQuery(() => answer, { maximumBytesBilled: 1_000 });
  expect(await errorOf(readAll(connection, "SELECT 1"))).toMatchObject(expected);
});

test("a location of BigQuery without the datasets of a statement is a setting to correct", async () => {
  const { server, connection } = await openBigQuery(() => numbers, { location: "US" });
  expect(await errorOf(readAll(connection, "SELECT n FROM orders"))).toMatchObject({
    code: "invalid_request",
    message:
      "Not found: Dataset shop-data:shop was not found in location US. Correct the location of the connection, or leave it out.",
  });
  expect(server.ran).toEqual([]);
});

test("without the parser, BigQuery runs no statement that its dry run takes for another one than a SELECT", async () => {
  const kinds = new Map(bigqueryRefusals);
  const { server, connection } = await openBigQuery((sql) => {
    const statementType = kinds.get(sql) ?? "SELECT";
    return statementType === "error" ? { error: [400, "invalidQuery", "Syntax error"] } : { statementType };
  });
  const others = bigqueryRefusals.filter(([sql, kind]) => kind !== "SELECT" && sql !== "");
  for (const [sql] of others)
    expect(await errorOf(readAll(connection, sql)), sql).toMatchObject({ code: "invalid_request" });
  expect([others.length, server.tried.length, server.ran]).toEqual([84, 84, []]);
});

test("a dry run of BigQuery that names no kind of statement runs nothing", async () => {
  const { server, connection } = await openBigQuery(() => ({ statementType: "" }));
  expect(await errorOf(readAll(connection, "SELECT 1"))).toMatchObject({
    message: expect.stringContaining("Only a SELECT can be sent here."),
  });
  expect(server.ran).toEqual([]);
});

test("a connection to BigQuery that was closed sends nothing", async () => {
  const { server, connection } = await openBigQuery(() => numbers);
  await connection.close();
  expect(await errorOf(readAll(connection, "SELECT 1"))).toMatchObject({ code: "network" });
  expect(server.requests).toEqual([]);
});
