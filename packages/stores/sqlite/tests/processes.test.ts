import { expect, test } from "vitest";
import type { Store } from "../src/open-store.ts";
import { isGapless } from "./drafts.ts";
import { openHere, temporaryFolder } from "./folders.ts";
import { startProgram } from "./programs.ts";

/** How long the processes run; `npm run soak` sets more seconds. */
const seconds = process.env.SOAK_SECONDS ?? "1.5";
const timeout = Number(seconds) * 1000 + 60_000;

test("two processes on one session lose, duplicate and reorder no event", { timeout }, async () => {
  const folder = temporaryFolder();
  const counts = await Promise.all(["a", "b"].map((name) => writeFor(folder, "shared", name)));
  expect(Math.min(...counts)).toBeGreaterThan(0);
  await expectWhole(openHere(folder), "shared", counts);
});

test("ten processes on ten sessions lose, duplicate and reorder no event", { timeout }, async () => {
  const folder = temporaryFolder();
  const names = Array.from({ length: 10 }, (_, index) => `s${index}`);
  const counts = await Promise.all(names.map((name) => writeFor(folder, name, name)));
  const store = openHere(folder);
  for (const [index, name] of names.entries()) await expectWhole(store, name, [counts[index] ?? 0]);
});

async function writeFor(folder: string, session: string, name: string): Promise<number> {
  return Number(await startProgram("busy-writer.ts", folder, session, name, seconds).output);
}

/** Checks that every run is complete and not mixed with others, with its text in order. */
async function expectWhole(store: Store, sessionId: string, counts: readonly number[]): Promise<void> {
  const events = await store.read({ sessionId });
  expect(events).toHaveLength(counts.reduce((total, count) => total + count, 0));
  expect(isGapless(events)).toBe(true);
  for (let start = 0; start < events.length; start += 42) {
    const run = events.slice(start, start + 42);
    expect(new Set(run.map(({ runId }) => runId)).size).toBe(1);
    const pieces = run.flatMap((event) => (event.type === "text.delta" ? [Number(event.text)] : []));
    expect(pieces).toEqual(Array.from({ length: 40 }, (_, index) => index));
  }
  expect((await store.runs({ sessionId })).every(({ ended }) => ended)).toBe(true);
}
