import type { RunEvent } from "@bridle/protocol";
import { expect, test } from "vitest";
import { type EventRange, readEventPages } from "./event-pages.ts";

const log = Array.from({ length: 450 }, (_, index) => ({ type: "step.started", seq: index + 1 }) as RunEvent);
const client = {
  events: async (_session: string, { after = 0, limit = 200 }: { after?: number; limit?: number } = {}) => {
    return { events: log.slice(after, after + limit), lastSeq: log.length };
  },
};

async function pagesOf(range: EventRange): Promise<string[]> {
  const pages = await Array.fromAsync(readEventPages(client, "s", range));
  return pages.map((page) => `${page[0]?.seq}-${page.at(-1)?.seq}`);
}

test("events are read page by page from one to another, or to the newest", async () => {
  expect(await pagesOf({ from: 7, to: 300 })).toEqual(["7-206", "207-300"]);
  expect(await pagesOf({ from: 7, to: 7 })).toEqual(["7-7"]);
  expect(await pagesOf({ from: 100 })).toEqual(["100-299", "300-450"]);
});

test("events are read back page by page to the first", async () => {
  expect(await pagesOf({ before: 301 })).toEqual(["101-300", "1-100"]);
  expect(await pagesOf({ before: 1 })).toEqual([]);
});
