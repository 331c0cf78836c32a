import type { EventDraft } from "@bridle/protocol";
import { describe, expect, test } from "vitest";
import type { EventLogHarness } from "./event-log-harness.ts";

const delta: EventDraft = { type: "text.delta", text: "x" };
const notice: EventDraft = { type: "notice", level: "info", code: "c", message: "m" };

/** Declares the tests of taking, writing and releasing streams. */
export function testWriters(open: EventLogHarness["open"], begun: EventDraft, finished: EventDraft): void {
  describe("streams and their writers:", () => {
    test("a stream has one writer until it is closed, and another gets an error that says who has it", async () => {
      const eventLog = await open({});
      const writer = await eventLog.openWriter({ sessionId: "s" });
      await expect(eventLog.openWriter({ sessionId: "s" })).rejects.toMatchObject({
        code: "store_busy",
        holder: expect.any(String),
      });
      const other = await eventLog.openWriter({ runId: "s" });
      expect([writer.append("a", begun).seq, other.append("s", begun).seq, writer.append("a", finished).seq]).toEqual([
        1, 1, 2,
      ]);
      await expect(eventLog.removeSession("s")).rejects.toMatchObject({ code: "store_busy" });
      await writer.close();
      await writer.close();
      const next = await eventLog.openWriter({ sessionId: "s" });
      expect(next.append("b", begun).seq).toBe(3);
      await next.durable();
      expect((await eventLog.read({ sessionId: "s" })).map(({ runId }) => runId)).toEqual(["a", "a", "b"]);
    });

    test("a closed writer refuses events and texts, and leaves the stream to the next writer", async () => {
      const eventLog = await open({});
      const closed = await eventLog.openWriter({ sessionId: "s" });
      closed.append("a", begun);
      closed.append("a", finished);
      const closing = closed.close();
      const refused = { code: "store", message: expect.stringContaining("closed") };
      expect(failureOf(() => closed.append("a", begun))).toMatchObject(refused);
      await closing;
      const next = await eventLog.openWriter({ sessionId: "s" });
      expect(next.append("b", begun).seq).toBe(3);
      for (const late of [() => closed.append("a", begun), () => closed.putArtifact("late")])
        expect(failureOf(late)).toMatchObject(refused);
      await closed.close();
      await expect(eventLog.openWriter({ sessionId: "s" })).rejects.toMatchObject({ code: "store_busy" });
      expect(next.append("b", finished).seq).toBe(4);
      await next.durable();
      expect((await eventLog.read({ sessionId: "s" })).map(({ runId }) => runId)).toEqual(["a", "a", "b", "b"]);
    });

    test("a reader of the same process sees every event as soon as it is appended", async () => {
      const eventLog = await open({});
      const writer = await eventLog.openWriter({ runId: "a" });
      for (const draft of [begun, delta, notice, delta]) {
        const event = writer.append("a", draft);
        expect(await eventLog.read({ runId: "a", last: 1 })).toEqual([event]);
      }
      await writer.close();
    });
  });
}

function failureOf(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  return undefined;
}
