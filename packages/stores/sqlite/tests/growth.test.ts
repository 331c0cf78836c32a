import { statSync } from "node:fs";
import { join } from "node:path";
import { storeArtifacts } from "@bridle/conformance";
import { expect, test } from "vitest";
import { openHere, temporaryFolder } from "./folders.ts";

/** Returns the input of a model after this many turns of 8 kB, which contains the whole conversation. */
function inputAfter(turns: number): string {
  const messages = Array.from({ length: turns }, (_, turn) => {
    let state = turn + 1;
    let text = "";
    while (text.length < 8000) {
      state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
      text += `${state.toString(36)} `;
    }
    return { role: "user", content: [{ type: "text", text }] };
  });
  return JSON.stringify({ builtins: [], messages, model: "m", system: "x".repeat(5000) });
}

/** Returns the size in bytes of an event log after a session of this many turns. */
async function bytesAfter(turns: number): Promise<number> {
  const folder = temporaryFolder();
  const store = openHere(folder);
  const ids: string[] = [];
  for (let turn = 1; turn <= turns; turn++) {
    ids.push(...(await storeArtifacts(store, { runId: `r${turn}`, sessionId: "s" }, inputAfter(turn))));
  }
  expect(await store.artifact(ids.at(-1) ?? "")).toBe(inputAfter(turns));
  expect(await store.artifact(ids[0] ?? "")).toBe(inputAfter(1));
  await store.close();
  return statSync(join(folder, "state.db")).size;
}

test("a session on disk grows with its turns, although the input of each turn repeats the whole conversation", async () => {
  const [short, long] = [await bytesAfter(15), await bytesAfter(150)];
  expect(long / short).toBeLessThan(12);
  expect(long / 150).toBeLessThan(4 * 8000);
});
