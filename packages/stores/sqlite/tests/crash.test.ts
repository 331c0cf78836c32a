import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { appendEvents } from "@bridle/conformance";
import type { RunEvent } from "@bridle/protocol";
import { describe, expect, test } from "vitest";
import { isGapless, notice } from "./drafts.ts";
import { openHere, temporaryFolder } from "./folders.ts";
import { startProgram } from "./programs.ts";
import { script } from "./scripted-run.ts";

describe("a process that is killed", () => {
  for (let point = 0; point <= script.length; point++) {
    const where =
      point === script.length ? "after its end" : `before event ${point + 1}, ${script[point]?.draft.type},`;
    test(`${where} leaves an event log that opens, has no gap, and ends the run`, async () => {
      const folder = temporaryFolder();
      const effects = join(dirname(folder), "effects");
      await killAt(folder, effects, point);
      const store = openHere(folder);
      const events = await store.read({ sessionId: "session" });
      expect(isGapless(events)).toBe(true);
      const appended = script.slice(0, point);
      const waitedFor = appended.slice(0, appended.findLastIndex(({ durable }) => durable) + 1);
      const kept = events.slice(0, isEnded(events) ? -1 : undefined).map(({ type }) => type);
      expect(kept).toEqual(appended.slice(0, kept.length).map(({ draft }) => draft.type));
      expect(kept.length).toBeGreaterThanOrEqual(waitedFor.length);
      if (events.length > 0) expect(events.at(-1)?.type).toBe("run.finished");
      expect(isEnded(events)).toBe(events.length > 0 && point < script.length);
      const hadEffect = existsSync(effects) && readFileSync(effects, "utf8") !== "";
      expect(hadEffect).toBe(events.some(({ type }) => type === "tool.started"));
      expect((await appendEvents(store, { runId: "next", sessionId: "session" }, notice("on")))[0]?.seq).toBe(
        events.length + 1,
      );
    });
  }

  test("has an ended run in the list of runs of a log that was open all the time", async () => {
    const folder = temporaryFolder();
    const store = openHere(folder);
    const { child, ended } = startProgram("endless-writer.ts", folder);
    await once(child.stdout as NodeJS.ReadableStream, "data");
    expect(await store.runs()).toMatchObject([{ runId: "endless", ended: false }]);
    child.kill("SIGKILL");
    await ended;
    expect(await store.runs()).toMatchObject([{ runId: "endless", ended: true }]);
    await store.close();
  });

  test("in the middle of its writes leaves only whole events, in order", async () => {
    for (const afterMs of [5, 20, 60, 110]) {
      const folder = temporaryFolder();
      const { child, ended } = startProgram("endless-writer.ts", folder);
      await once(child.stdout as NodeJS.ReadableStream, "data");
      await new Promise((resolve) => setTimeout(resolve, afterMs));
      child.kill("SIGKILL");
      await ended;
      const store = openHere(folder);
      const events = await store.read({ runId: "endless" });
      expect(isGapless(events)).toBe(true);
      const texts = events.flatMap((event) => (event.type === "text.delta" ? [Number(event.text)] : []));
      expect(texts).toEqual(texts.map((_, index) => index));
      expect(events.at(-1)).toMatchObject({ type: "run.finished", result: { error: { code: "process_died" } } });
      expect(events.filter(({ type }) => type === "run.finished")).toHaveLength(1);
      store.close();
    }
  });
});

async function killAt(folder: string, effects: string, point: number): Promise<void> {
  const { child, ended } = startProgram("dying-writer.ts", folder, effects, String(point));
  await once(child.stdout as NodeJS.ReadableStream, "data");
  child.kill("SIGKILL");
  await ended;
}

/** Whether the process that opened the log next ended the run. */
function isEnded(events: readonly RunEvent[]): boolean {
  const last = events.at(-1);
  return last?.type === "run.finished" && last.result.error?.code === "process_died";
}
