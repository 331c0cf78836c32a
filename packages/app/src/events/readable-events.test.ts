import { createMemoryEventLog } from "@bridle/core";
import { type EventLog, type EventQuery, StoreCorruptError } from "@bridle/protocol";
import { expect, test } from "vitest";
import { type EventGap, readUndamagedPages } from "./readable-events.ts";

/** Creates an event log with a session of this many events. The `damaged` events cannot be read. */
async function damagedLog(count: number, damaged: readonly number[]): Promise<Pick<EventLog, "read">> {
  const log = createMemoryEventLog();
  const writer = await log.openWriter({ sessionId: "s" });
  for (let index = 0; index < count; index += 1) writer.append("r", { type: "text.delta", text: "x" });
  return {
    async read(query: EventQuery) {
      const events = await log.read(query);
      if (events.some(({ seq }) => damaged.includes(seq))) throw new StoreCorruptError("state.db");
      return events;
    },
  };
}

async function readAll(count: number, damaged: readonly number[]) {
  const gaps: EventGap[] = [];
  const found: number[] = [];
  const pages = readUndamagedPages(await damagedLog(count, damaged), { sessionId: "s" }, (gap) => gaps.push(gap));
  for await (const page of pages) {
    expect(page.length).toBeLessThanOrEqual(100);
    found.push(...page.map(({ seq }) => seq));
  }
  return { found, gaps: gaps.map(({ after, before }) => [after, before]) };
}

const range = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, index) => first + index);

test.each([
  ["no part", [], range(1, 1000), []],
  ["the first event", [1], range(2, 1000), [[0, 2]]],
  ["an event in the middle", [512], [...range(1, 511), ...range(513, 1000)], [[511, 513]]],
  ["several parts", [205, 206, 640, 990], [...range(1, 204), ...range(991, 1000)], [[204, 991]]],
  ["the last event", [1000], range(1, 999), [[999, 1000]]],
])("the readable events of a log are read in pages if %s is damaged", async (_title, damaged, expected, gaps) => {
  expect(await readAll(1000, damaged)).toEqual({ found: expected, gaps });
});
