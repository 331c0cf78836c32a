import { setTimeout as sleep } from "node:timers/promises";
import { appendEvents, collect } from "@bridle/conformance";
import type { EventDraft, RunEvent } from "@bridle/protocol";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { openPostgresEventLog, type PostgresEventLog, type PostgresEventLogOptions } from "../src/index.ts";
import { CuttingProxy, type Fate } from "./cutting-proxy.ts";
import { begun, delta, finished, isGapless, notice } from "./log-drafts.ts";
import { PostgresCluster, skipsPostgres } from "./postgres-cluster.ts";

let cluster: PostgresCluster;

async function open(options: Partial<PostgresEventLogOptions> & { schema: string }): Promise<PostgresEventLog> {
  const eventLog = await openPostgresEventLog({ url: cluster.url, ...options });
  onTestFinished(async () => {
    await eventLog.close().catch(() => {}); // the server may have stopped
  });
  return eventLog;
}

/** Opens a proxy to the server, whose connections can be cut, and returns the proxy's address. */
async function openProxy(decide: (message: string) => Fate): Promise<string> {
  const proxy = await CuttingProxy.create(cluster.url, decide);
  onTestFinished(() => proxy.close());
  return proxy.url;
}

function question(approvalId: string): EventDraft {
  return {
    type: "approval.requested",
    approvalId,
    callId: approvalId,
    attempt: 1,
    tool: "t",
    input: { path: "x" },
    inputHash: "h",
    builtin: false,
    rule: "default",
    everyTime: false,
  };
}

describe.skipIf(skipsPostgres)(
  "an event log in PostgreSQL that loses its connection (needs Debian's package postgresql)",
  () => {
    beforeAll(async () => {
      cluster = await PostgresCluster.create();
    });
    afterAll(() => cluster?.remove());

    test("loses, doubles and reorders nothing if its connections are cut again and again while it writes", async () => {
      const eventLog = await open({ schema: "cut" });
      const writer = await eventLog.openWriter({ sessionId: "s" });
      let [isDone, cuts] = [false, 0];
      const cutting = (async () => {
        for (; !isDone; await sleep(7)) cuts += await cluster.cutConnections();
      })();
      const expected: RunEvent[] = [writer.append("a", begun)];
      for (let count = 0; count < 400 || cuts <= 10; count++) {
        expected.push(writer.append("a", count % 4 === 0 ? notice(String(count)) : delta(`${count} `)));
        if (count % 10 === 0) await writer.durable();
        if (count % 50 === 0) writer.putArtifact(`${count} `.repeat(3000));
      }
      expected.push(writer.append("a", finished));
      await writer.durable();
      isDone = true;
      await cutting;
      await writer.close();
      console.log(`${cuts} connections were cut`);
      expect(await eventLog.read({ sessionId: "s" })).toEqual(expected);
      expect(await eventLog.sessions()).toMatchObject([{ lastSeq: expected.length, runs: 1, newest: { ended: true } }]);
      expect(await eventLog.runs()).toMatchObject([{ runId: "a", ended: true }]);
    });

    test.each(["SIGINT", "SIGQUIT"] as const)(
      "continues after a restart of the server by %s, in the same writer",
      async (signal) => {
        const eventLog = await open({ schema: `restart ${signal}`, leaseMs: 1500 });
        const writer = await eventLog.openWriter({ sessionId: "s" });
        const following = collect(eventLog.follow({ runId: "a" }, new AbortController().signal));
        writer.append("a", begun);
        await writer.durable();
        await cluster.stop(signal);
        const appended = writer.append("a", notice("while it is gone"));
        const durable = writer.durable();
        await sleep(2000); // longer than the lease
        await cluster.start();
        await durable;
        writer.append("a", finished);
        await writer.durable();
        await writer.close();
        const events = await eventLog.read({ sessionId: "s" });
        expect(events).toMatchObject([
          { type: "run.started" },
          appended,
          { type: "run.finished", result: { stopReason: "natural" } },
        ]);
        expect(await following).toEqual(events);
      },
    );

    test.each([2, 3, 4])("does nothing twice if the answer to one commit in %i is lost", async (every) => {
      let commits = 0;
      const url = await openProxy((message) => {
        if (!message.includes("COMMIT\0")) return "passed";
        commits += 1;
        return commits % every === 0 ? "unanswered" : "passed";
      });
      const eventLog = await open({ url, schema: `unanswered ${every}` });
      const expected: RunEvent[] = [];
      for (const runId of ["a", "b", "c"]) {
        const writer = await eventLog.openWriter({ sessionId: "s" });
        writer.putArtifact(`text of ${runId}`);
        expected.push(writer.append(runId, begun), writer.append(runId, question(`of ${runId}`)));
        await writer.durable();
        const answer = { decision: "allow", inputHash: "h" } as const;
        expect(await eventLog.approvals.answer(`of ${runId}`, answer)).toMatchObject({ accepted: true });
        expect(await eventLog.approvals.close(`of ${runId}`)).toEqual(answer);
        expected.push(
          writer.append(runId, notice("n")),
          writer.append(runId, finished),
          writer.append(runId, notice("l")),
        );
        await writer.durable();
        await writer.close();
      }
      expect(await eventLog.read({ sessionId: "s" })).toEqual(expected);
      expect(await eventLog.read({ runId: "b" })).toEqual(expected.slice(5, 10));
      expect(await eventLog.runs()).toMatchObject([{ ended: true }, { ended: true }, { ended: true }]);
      expect(await eventLog.sessions()).toMatchObject([{ runs: 3, lastSeq: 15, newest: { runId: "c", ended: true } }]);
      expect(commits).toBeGreaterThan(20);
    });

    test("followers see the events of another process within 300 ms if the server cannot tell them", async () => {
      const url = await openProxy((message) => (message.includes("LISTEN") ? "cut" : "passed"));
      const [writing, following] = [await open({ schema: "polled" }), await open({ schema: "polled", url })];
      const writer = await writing.openWriter({ sessionId: "s" });
      const enough = new AbortController();
      const delays: number[] = [];
      const done = (async () => {
        for await (const event of following.follow({ sessionId: "s" }, enough.signal)) {
          delays.push(Date.now() - event.time);
          if (delays.length === 5) enough.abort();
        }
      })();
      await sleep(500);
      for (let count = 0; count < 5; count++) {
        writer.append("a", notice(String(count)));
        await sleep(110);
      }
      await done;
      console.log(`seen after ${delays.join(", ")} ms without notifications`);
      expect(delays).toHaveLength(5);
      await writer.close();
    });

    test("durable rejects if the server stays away, and the end of the run is written when it is back", async () => {
      const eventLog = await open({ schema: "away", patienceMs: 300 });
      const writer = await eventLog.openWriter({ sessionId: "s" });
      writer.append("a", begun);
      await writer.durable();
      await cluster.stop();
      writer.append("a", notice("before the end"));
      await expect(writer.durable()).rejects.toThrow(
        /^The event log in PostgreSQL \(127\.0\.0\.1:\d+\/postgres, schema away\) cannot be reached: .+\. Check that the server is running, and try again\.$/,
      );
      expect(() => writer.append("a", delta("late"))).toThrow("cannot be reached");
      await expect(eventLog.read({ sessionId: "s" })).rejects.toThrow("cannot be reached");
      writer.append("a", finished);
      await expect(writer.durable()).rejects.toThrow("cannot be reached");
      await writer.close();
      await cluster.start();
      await expect.poll(async () => (await eventLog.runs())[0]?.ended, { timeout: 60_000 }).toBe(true);
      expect((await eventLog.read({ sessionId: "s" })).map(({ type }) => type)).toEqual([
        "run.started",
        "notice",
        "run.finished",
      ]);
      expect(await appendEvents(eventLog, { runId: "b", sessionId: "s" }, begun)).toMatchObject([{ seq: 4 }]);
    });

    test("a writer whose stream was taken over fails, and its later events are not in the log", async () => {
      const [slow, other] = [await open({ schema: "taken" }), await open({ schema: "taken" })];
      const writer = await slow.openWriter({ sessionId: "s" });
      writer.append("a", begun);
      await writer.durable();
      await cluster.send("UPDATE taken.owners SET expires_at = '2000-01-01', lease_ms = 0"); // as if the owner had been suspended
      const next = await other.openWriter({ sessionId: "s" });
      writer.append("a", notice("from a sleeper"));
      await expect(writer.durable()).rejects.toMatchObject({ code: "store_busy" });
      expect(() => writer.append("a", finished)).toThrow("The session s is in use by the process");
      next.append("b", begun);
      await next.durable();
      const events = await other.read({ sessionId: "s" });
      expect(isGapless(events)).toBe(true);
      expect(events).toMatchObject([
        { runId: "a", type: "run.started" },
        { runId: "a", type: "run.finished", result: { error: { code: "process_died" } } },
        { runId: "b", type: "run.started" },
      ]);
      await writer.close();
      expect(await other.read({ sessionId: "s" })).toEqual(events);
    });
  },
);
