import { expect, test } from "vitest";
import { SharedChanges } from "./shared-changes.ts";

/** Lists those of the stores that the work wakes. */
async function woken(stores: Readonly<Record<string, SharedChanges>>, work: () => void): Promise<string[]> {
  const names: string[] = [];
  for (const [name, { ofStore }] of Object.entries(stores)) void ofStore.next().then(() => names.push(name));
  work();
  await Promise.resolve();
  return names;
}

test("a write wakes the followers of the other stores of its file, and of no other file", async () => {
  const [writer, other, closed, elsewhere] = [
    new SharedChanges("state.db"),
    new SharedChanges("./state.db"),
    new SharedChanges("state.db"),
    new SharedChanges("other.db"),
  ];
  closed.leave();
  expect(await woken({ writer, other, closed, elsewhere }, () => writer.announceToOthers())).toEqual(["other"]);
  for (const store of [writer, other, elsewhere]) store.leave();
});
