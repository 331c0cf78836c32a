import { StoppedError, TimeoutError } from "@bridle/protocol";
import { expect, vi } from "vitest";
import type { z } from "zod";
import type { RowStream } from "../../src/index.ts";
import type { ConnectorBench } from "./bench.ts";
import type { Law } from "./law.ts";
import { numbers } from "./standard-tables.ts";

export function limitLaws<Schema extends z.ZodObject>(bench: ConnectorBench<Schema>): readonly Law[] {
  return [
    { title: "ends a result at the limit of rows and says so", hold: () => limitsRows(bench) },
    { title: "does not call a result cut that has as many rows as the limit", hold: () => fitsRows(bench) },
    { title: "ends a result at the limit of bytes and says so", hold: () => limitsBytes(bench) },
    { title: "ends a statement at the limit of time, on the server too", hold: () => limitsTime(bench) },
    { title: "ends a statement whose signal is aborted, on the server too", hold: () => endsAborted(bench) },
    { title: "sends nothing if the signal is aborted already", hold: () => refusesAborted(bench) },
    { title: "ends a statement whose consumer leaves", hold: () => endsAbandoned(bench) },
    { title: "ends a statement whose rows are never read at its limit of time", hold: () => endsUnread(bench) },
    { title: "passes on rows in batches while the statement runs", hold: () => streams(bench) },
  ];
}

type Check = <Schema extends z.ZodObject>(bench: ConnectorBench<Schema>) => Promise<void>;

const limitsRows: Check = async (bench) => {
  const { rows, truncated } = await bench.read(`SELECT n FROM ${bench.quoted("numbers")}`, { maxRows: 7 });
  expect(rows).toHaveLength(7);
  expect(truncated).toBe("rows");
};

const fitsRows: Check = async (bench) => {
  const { rows, truncated } = await bench.read(`SELECT n FROM ${bench.quoted("numbers")}`, { maxRows: numbers });
  expect(rows).toHaveLength(numbers);
  expect(truncated).toBeUndefined();
};

/**
 * Checks the byte limit: 1,000 labels of about 10 characters have more than 5,000 and fewer than 100,000 bytes, however they are counted.
 */
const limitsBytes: Check = async (bench) => {
  const sql = `SELECT label FROM ${bench.quoted("numbers")}`;
  const cut = await bench.read(sql, { maxBytes: 5_000 });
  expect(cut.truncated).toBe("bytes");
  expect(cut.rows.length).toBeGreaterThan(100);
  expect(cut.rows.length).toBeLessThan(numbers);
  expect((await bench.read(sql, { maxBytes: 100_000 })).truncated).toBeUndefined();
};

const limitsTime: Check = async (bench) => {
  await expect(bench.read(bench.harness.runaway, { timeoutMs: 500 })).rejects.toBeInstanceOf(TimeoutError);
  await expectIdle(bench);
};

const endsAborted: Check = async (bench) => {
  const controller = new AbortController();
  const reading = bench.read(bench.harness.runaway, { signal: controller.signal });
  const outcome = expect(reading).rejects.toBeInstanceOf(StoppedError);
  await vi.waitFor(async () => expect((await bench.fixture.countRunning?.()) ?? 1).toBeGreaterThan(0), patience);
  controller.abort();
  await outcome;
  await expectIdle(bench);
};

const refusesAborted: Check = async (bench) => {
  const signal = AbortSignal.abort();
  await expect(bench.read("SELECT 1", { signal })).rejects.toBeInstanceOf(StoppedError);
  await expectIdle(bench);
};

/** Checks that abandoned statements end, in more rounds than a connection or pool has places. */
const endsAbandoned: Check = async (bench) => {
  for (let round = 0; round < 12; round++) {
    const stream = bench.connection.stream(bench.harness.manyRows, {
      maxRows: 1e9,
      maxBytes: 1e12,
      timeoutMs: 120_000,
    });
    for await (const batch of stream) {
      expect(batch.length).toBeGreaterThan(0);
      break;
    }
  }
  await expectIdle(bench);
};

/**
 * Checks that unread statements end, in more rounds than a pool has places. If only the columns are read, these statements end only at
 * their time limit.
 */
const endsUnread: Check = async (bench) => {
  const limits = { maxRows: 1e9, maxBytes: 1e12, timeoutMs: 500 };
  const unread = Array.from({ length: 6 }, () => bench.connection.stream(bench.harness.manyRows, limits));
  for (const stream of unread) await orTimeout(stream.columns());
  for (const stream of unread) await orTimeout(readToEnd(stream));
  await expectIdle(bench);
};

/** Ignores a timeout, because on a busy machine the time may be over at any moment. */
async function orTimeout(promise: Promise<unknown>): Promise<void> {
  await promise.catch((error: unknown) => expect(error).toBeInstanceOf(TimeoutError));
}

async function readToEnd(stream: RowStream): Promise<void> {
  for await (const batch of stream) expect(batch.length).toBeGreaterThan(0);
}

const streams: Check = async (bench) => {
  let rows = 0;
  let largest = 0;
  const stream = bench.connection.stream(bench.harness.manyRows, { maxRows: 1e9, maxBytes: 1e12, timeoutMs: 120_000 });
  for await (const batch of stream) {
    rows += batch.length;
    largest = Math.max(largest, batch.length);
  }
  expect(rows).toBeGreaterThanOrEqual(200_000);
  expect(largest).toBeLessThanOrEqual(20_000);
};

const patience = { timeout: 60_000, interval: 50 };

/** Expects that the connection answers, and that nothing runs on the server. */
async function expectIdle<Schema extends z.ZodObject>(bench: ConnectorBench<Schema>): Promise<void> {
  const { rows } = await bench.read(`SELECT n FROM ${bench.quoted("numbers")} WHERE n = 1`);
  expect(rows).toEqual([[1n]]);
  await vi.waitFor(async () => expect((await bench.fixture.countRunning?.()) ?? 0).toBe(0), patience);
}
