import type { EventDraft, SessionSummary } from "@bridle/protocol";
import { describe, expect, test } from "vitest";
import { appendEvents } from "./append-events.ts";
import type { EventLogHarness } from "./event-log-harness.ts";

const named = { backend: "memory", model: "m" };

/** Declares the tests of the lists of runs and sessions, including their pages. */
export function testLists(
  open: EventLogHarness["open"],
  begun: Extract<EventDraft, { type: "run.started" }>,
  finished: EventDraft,
): void {
  describe("lists:", () => {
    test("a query with an unknown key is refused, because it would select everything", async () => {
      const eventLog = await open({});
      const wrong = JSON.parse('{ "runId": "a", "lasst": 3 }');
      for (const call of [eventLog.read(wrong), eventLog.runs(wrong), eventLog.sessions(wrong)]) {
        await expect(call).rejects.toThrow(/unknown key "lasst"\. Did you mean "last"\?/);
      }
    });

    test("lists runs and sessions, newest first", async () => {
      let time = 0;
      const eventLog = await open({ now: () => ++time });
      await appendEvents(eventLog, { runId: "a", sessionId: "s" }, begun);
      await appendEvents(eventLog, { runId: "b" }, begun);
      await appendEvents(eventLog, { runId: "a", sessionId: "s" }, finished);
      await appendEvents(eventLog, { runId: "c", sessionId: "t" }, begun);
      await appendEvents(eventLog, { runId: "d", sessionId: "s" }, begun);
      expect(await eventLog.runs()).toEqual([
        { runId: "d", sessionId: "s", startedAt: 5, ended: false },
        { runId: "c", sessionId: "t", startedAt: 4, ended: false },
        { runId: "b", startedAt: 2, ended: false },
        { runId: "a", sessionId: "s", startedAt: 1, ended: true },
      ]);
      expect((await eventLog.runs({ sessionId: "s", last: 1 })).map(({ runId }) => runId)).toEqual(["d"]);
      expect(await eventLog.runs({ sessionId: "none" })).toEqual([]);
      expect(await eventLog.sessions()).toEqual([
        {
          sessionId: "s",
          startedAt: 1,
          lastAt: 5,
          lastSeq: 3,
          runs: 2,
          newest: { runId: "d", ended: false, ...named },
        },
        {
          sessionId: "t",
          startedAt: 4,
          lastAt: 4,
          lastSeq: 1,
          runs: 1,
          newest: { runId: "c", ended: false, ...named },
        },
      ]);
    });

    test("lists a session with the labels of its newest run and the beginning of its first prompt", async () => {
      const eventLog = await open({});
      const scope = { runId: "a", sessionId: "s" };
      const input = (text: string): EventDraft => ({
        type: "model.input",
        turn: 1,
        sha256: "h",
        artifact: "h",
        implicitSources: [],
        hostAdds: [],
        messages: [
          { role: "assistant", content: [{ type: "text", text: "Before." }] },
          { role: "user", content: [{ type: "text", text }] },
        ],
      });
      for (const draft of [{ ...begun, labels: { a: "1" } }, input("x".repeat(300)), finished])
        await appendEvents(eventLog, scope, draft);
      const again = { runId: "b", sessionId: "s" };
      for (const draft of [{ ...begun, labels: { b: "2" } }, input("Later"), finished])
        await appendEvents(eventLog, again, draft);
      await appendEvents(eventLog, { runId: "c", sessionId: "t" }, begun);
      const [silent, talkative] = (await eventLog.sessions()).toSorted((one, other) => one.runs - other.runs);
      expect(talkative).toMatchObject({ sessionId: "s", labels: { b: "2" }, firstPrompt: "x".repeat(200) });
      expect(silent).toEqual(expect.not.objectContaining({ firstPrompt: expect.anything() }));
      expect(silent?.labels).toBeUndefined();
    });

    test("lists runs in pages, each after the last run of the page before, of all sessions or of one", async () => {
      const eventLog = await open({});
      for (let count = 1; count <= 7; count++) {
        const sessionId = ["s", "t", undefined][count % 3];
        await appendEvents(eventLog, { runId: `r${count}`, ...(sessionId && { sessionId }) }, begun, finished);
      }
      for (const [query, expected] of [
        [{}, ["r7", "r6", "r5", "r4", "r3", "r2", "r1"]],
        [{ sessionId: "t" }, ["r7", "r4", "r1"]],
      ] as const) {
        const found: string[] = [];
        for (let page = await eventLog.runs({ ...query, last: 2 }); page.length > 0; ) {
          expect(page.length).toBeLessThanOrEqual(2);
          found.push(...page.map(({ runId }) => runId));
          const after = page.at(-1);
          page = after ? await eventLog.runs({ ...query, last: 2, after }) : [];
        }
        expect(found).toEqual(expected);
      }
    });

    test("lists sessions in pages, each after the last session of the page before", async () => {
      let time = 0;
      const eventLog = await open({ now: () => ++time });
      for (let count = 1; count <= 7; count++) {
        await appendEvents(eventLog, { runId: `r${count}`, sessionId: `s${count}` }, begun);
      }
      await appendEvents(eventLog, { runId: "again", sessionId: "s2" }, begun);
      const all = await eventLog.sessions();
      expect(all.map(({ sessionId }) => sessionId)).toEqual(["s2", "s7", "s6", "s5", "s4", "s3", "s1"]);
      const found: string[] = [];
      for (let page = await eventLog.sessions({ last: 3 }); page.length > 0; ) {
        found.push(...page.map(({ sessionId }) => sessionId));
        const after = page.at(-1);
        page = after ? await eventLog.sessions({ last: 3, after }) : [];
      }
      expect(found).toEqual(all.map(({ sessionId }) => sessionId));
    });

    test("continues a list of sessions where a session was that was removed, or has new events, meanwhile", async () => {
      let time = 0;
      const eventLog = await open({ now: () => Math.floor(++time / 3) }); // some runs have the same time
      for (let count = 1; count <= 8; count++) {
        await appendEvents(eventLog, { runId: `r${count}`, sessionId: `s${count}` }, begun, finished);
      }
      const all = await eventLog.sessions();
      const idsOf = (sessions: readonly SessionSummary[]) => sessions.map(({ sessionId }) => sessionId);
      for (const [index, after] of all.entries()) {
        if (index % 2 === 0) await eventLog.removeSession(after.sessionId);
        else await appendEvents(eventLog, { runId: "again", sessionId: after.sessionId }, begun, finished);
        expect(idsOf(await eventLog.sessions({ after }))).toEqual(idsOf(all.slice(index + 1)));
        expect(idsOf(await eventLog.sessions({ after, last: 1 }))).toEqual(idsOf(all.slice(index + 1, index + 2)));
      }
    });

    test("ends a list of runs after a run that is not there any more, because its place is not known", async () => {
      const eventLog = await open({});
      for (const count of [1, 2, 3]) {
        await appendEvents(eventLog, { runId: `r${count}`, sessionId: `s${count}` }, begun, finished);
      }
      const [, after] = await eventLog.runs();
      if (after === undefined) throw new Error("The run is not listed.");
      await eventLog.removeSession("s2");
      expect(await eventLog.runs({ after })).toEqual([]);
      expect(await eventLog.runs({ after: { runId: "unknown" } })).toEqual([]);
      expect((await eventLog.runs()).map(({ runId }) => runId)).toEqual(["r3", "r1"]);
    });
  });
}
