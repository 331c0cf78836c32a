import { join } from "node:path";
import { appendEvents } from "@bridle/conformance";
import { expect, onTestFinished, test } from "vitest";
import { begun } from "../../tests/drafts.ts";
import { temporaryFolder } from "../../tests/folders.ts";
import { openStore } from "../index.ts";
import { SharedChanges } from "./shared-changes.ts";

/** Counts how often the stores of a file wake the others of this process. */
function countWakeups(file: string): { wakeups: number } {
  const counted = { wakeups: 0 };
  const listener = new SharedChanges(file);
  onTestFinished(() => listener.leave());
  const listen = (): void =>
    void listener.ofStore.next().then(() => {
      counted.wakeups += 1;
      listen();
    });
  listen();
  return counted;
}

async function readAll(events: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of events);
}

test("two stores of one file that only read do not wake each other", async () => {
  const folder = temporaryFolder();
  const stores = [openStore({ folder }), openStore({ folder })];
  for (const store of stores) onTestFinished(() => store.close());
  const [first, second] = stores;
  if (first === undefined || second === undefined) throw new Error("There are two stores.");
  await appendEvents(first, { runId: "a", sessionId: "s" }, begun);
  const counted = countWakeups(join(folder, "state.db"));
  const leave = new AbortController();
  onTestFinished(() => leave.abort());
  for (const store of stores) void readAll(store.follow({ sessionId: "s" }, leave.signal));
  for (let round = 0; round < 10; round += 1)
    for (const store of stores) {
      await store.runs();
      await store.sessions();
      await store.approvals.open();
      await store.read({ sessionId: "s" });
    }
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(counted.wakeups).toBe(0);
  await appendEvents(second, { runId: "b", sessionId: "t" }, begun);
  await expect.poll(() => counted.wakeups).toBeGreaterThan(0);
});
