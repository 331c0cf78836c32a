import { createRedactor, sha256 } from "@bridle/core";
import type { EventDraft, SessionSnapshot } from "@bridle/protocol";
import { describe, expect, test } from "vitest";
import { appendEvents, storeArtifacts } from "./append-events.ts";
import type { EventLogHarness } from "./event-log-harness.ts";

const snapshot = (after: number, seq: number): SessionSnapshot => ({ after, seq, content: `to ${seq}: "Grüße"\n👋` });

/** Declares the tests of session snapshots, with which a session does not have to read all its events again. */
export function testSnapshots(open: EventLogHarness["open"], begun: EventDraft, finished: EventDraft): void {
  describe("keeps snapshots of a session:", () => {
    test("each continues the one before, and one that stands alone replaces them all", async () => {
      const eventLog = await open({});
      expect(await eventLog.snapshots("s")).toEqual([]);
      await appendEvents(eventLog, { runId: "a", sessionId: "s" }, begun, finished, begun, finished);
      expect(await eventLog.addSnapshot("s", snapshot(0, 2))).toBe(true);
      expect(await eventLog.addSnapshot("s", snapshot(2, 4))).toBe(true);
      expect(await eventLog.snapshots("s")).toEqual([snapshot(0, 2), snapshot(2, 4)]);
      expect(await eventLog.addSnapshot("s", snapshot(0, 3))).toBe(true);
      expect(await eventLog.snapshots("s")).toEqual([snapshot(0, 3)]);
    });

    test("one that does not continue the newest, ends before it begins, or includes events that are not there has no effect", async () => {
      const eventLog = await open({});
      expect(await eventLog.addSnapshot("s", snapshot(0, 1))).toBe(false);
      await appendEvents(eventLog, { runId: "a", sessionId: "s" }, begun, finished, begun, finished);
      expect(await eventLog.addSnapshot("s", snapshot(1, 2))).toBe(false);
      expect(await eventLog.addSnapshot("s", snapshot(0, 2))).toBe(true);
      for (const [after, seq] of [
        [1, 4],
        [2, 5],
        [2, 2],
        [3, 4],
      ] as const) {
        expect(await eventLog.addSnapshot("s", snapshot(after, seq))).toBe(false);
      }
      expect(await eventLog.snapshots("s")).toEqual([snapshot(0, 2)]);
    });

    test("of several that continue the same one, one is stored", async () => {
      const eventLog = await open({});
      await appendEvents(eventLog, { runId: "a", sessionId: "s" }, begun, finished, begun, finished);
      await eventLog.addSnapshot("s", snapshot(0, 1));
      const stored = await Promise.all([2, 3, 4].map((seq) => eventLog.addSnapshot("s", snapshot(1, seq))));
      expect(stored.filter(Boolean)).toHaveLength(1);
      expect(await eventLog.snapshots("s")).toHaveLength(2);
    });

    test("they are removed with their session, and others are not", async () => {
      const eventLog = await open({});
      for (const sessionId of ["s", "t"]) {
        await appendEvents(eventLog, { runId: `run of ${sessionId}`, sessionId }, begun, finished);
        await eventLog.addSnapshot(sessionId, snapshot(0, 2));
      }
      await eventLog.removeSession("s");
      expect([await eventLog.snapshots("s"), await eventLog.snapshots("t")]).toEqual([[], [snapshot(0, 2)]]);
      await appendEvents(eventLog, { runId: "again", sessionId: "s" }, begun);
      expect(await eventLog.addSnapshot("s", snapshot(2, 3))).toBe(false);
    });
  });

  test("stores an artifact in pieces as one text, and searches only those that were not logged", async () => {
    const known = "tulip-meadow-9931";
    const eventLog = await open({ redactor: createRedactor({ secrets: [known] }) });
    const logged = `{"a":"${known}"},{"b":2}`;
    for (const own of [`{"c":"${known} too"}`, '{"c":"nothing"}', "[not JSON"]) {
      const content = ["[", { logged }, `,${own}]`];
      const [id = ""] = await storeArtifacts(eventLog, { runId: "a" }, content);
      const expected = `[${logged},${own.replace(known, "[secret: 17 characters]")}]`;
      expect(await eventLog.artifact(id)).toBe(expected);
      expect(id).toBe(sha256(expected));
      expect(eventLog.redact(content)).toBe(expected);
    }
    const mark = JSON.stringify("\0logged\0");
    const [id = ""] = await storeArtifacts(eventLog, { runId: "a" }, ["[", { logged: "1" }, `,${mark},"${known}"]`]);
    expect(await eventLog.artifact(id)).toBe(`[1,${mark},"[secret: 17 characters]"]`);
  });
}
