import type { JSONRPCMessage } from "@modelcontextprotocol/server";
import { expect, test } from "vitest";
import { SentEvents } from "./sent-events.ts";

const message = (text: string): JSONRPCMessage => ({ jsonrpc: "2.0", method: text });

async function replay(events: SentEvents, id: string): Promise<readonly unknown[]> {
  const sent: unknown[] = [];
  await events.replayEventsAfter(id, { send: async (_, each) => void sent.push(Object(each).method) });
  return sent;
}

test("a client gets what followed on its own stream", async () => {
  const events = new SentEvents({ events: 10, bytes: 1000 });
  const [first] = [await events.storeEvent("a", message("a1")), await events.storeEvent("b", message("b1"))];
  await events.storeEvent("a", message("a2"));
  expect(await replay(events, first)).toEqual(["a2"]);
  expect(events.has(first)).toBe(true);
  expect(events.has("99")).toBe(false);
  expect(events.has("__proto__")).toBe(false);
});

test("the oldest messages are forgotten, by their number and by their bytes", async () => {
  const few = new SentEvents({ events: 2, bytes: 1000 });
  const ids = [];
  for (const text of ["1", "2", "3"]) ids.push(await few.storeEvent("a", message(text)));
  expect(few.has(ids[0] ?? "")).toBe(false);
  expect(await replay(few, ids[1] ?? "")).toEqual(["3"]);
  const small = new SentEvents({ events: 9, bytes: 100 });
  const first = await small.storeEvent("a", message("1"));
  await small.storeEvent("a", message("x".repeat(90)));
  expect(small.has(first)).toBe(false);
});
