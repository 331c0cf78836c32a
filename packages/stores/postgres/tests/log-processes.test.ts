import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { appendEvents } from "@bridle/conformance";
import type { RunEvent } from "@bridle/protocol";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { openPostgresEventLog, type PostgresEventLog } from "../src/index.ts";
import { effectScript } from "./effect-script.ts";
import { begun, isGapless, notice, question } from "./log-drafts.ts";
import { isReady, startLogProgram } from "./log-programs.ts";
import { PostgresCluster, skipsPostgres } from "./postgres-cluster.ts";

/** How long the processes run; `npm run soak` sets more seconds. */
const seconds = process.env.SOAK_SECONDS ?? "1.5";
const timeout = Number(seconds) * 2000 + 300_000;
const scope = { runId: "a", sessionId: "s" };

let cluster: PostgresCluster;

async function open(schema: string, leaseMs?: number): Promise<PostgresEventLog> {
  const eventLog = await openPostgresEventLog({ url: cluster.url, schema, leaseMs });
  onTestFinished(() => eventLog.close());
  return eventLog;
}

describe.skipIf(skipsPostgres)(
  "processes that share an event log in PostgreSQL (needs Debian's package postgresql)",
  () => {
    beforeAll(async () => {
      cluster = await PostgresCluster.create();
    });
    afterAll(() => cluster?.remove());

    test("two processes that write one session lose, double and reorder no event", { timeout }, async () => {
      const counts = await Promise.all(["a", "b"].map((name) => writeFor("one session", "shared", name)));
      expect(Math.min(...counts)).toBeGreaterThan(0);
      await expectWhole(await open("one session"), "shared", counts);
    });

    test("six processes that write six sessions lose, double and reorder no event", { timeout }, async () => {
      const names = Array.from({ length: 6 }, (_, index) => `s${index}`);
      const counts = await Promise.all(names.map((name) => writeFor("sessions", name, name)));
      const eventLog = await open("sessions");
      for (const [index, name] of names.entries()) await expectWhole(eventLog, name, [counts[index] ?? 0]);
    });

    test("if several processes answer the same questions, each question gets one answer", async () => {
      const eventLog = await open("answers");
      await appendEvents(eventLog, scope, begun);
      const ids = Array.from({ length: 40 }, (_, index) => `q${index}`);
      await appendEvents(eventLog, scope, ...ids.map(question));
      const programs = ["allow", "deny"].map((decision) =>
        startLogProgram("answering-log.ts", cluster.url, "answers", decision),
      );
      await Promise.all(programs.map(isReady));
      for (const { child } of programs) child.stdin?.write("go\n");
      const taken = [];
      for (const id of ids) taken.push(await eventLog.approvals.close(id));
      const outputs = await Promise.all(programs.map(({ output }) => output));
      const accepted = outputs.map((output) => Number(output.trim().split("\n").at(-1)));
      expect((accepted[0] ?? 0) + (accepted[1] ?? 0)).toBe(taken.filter((answer) => answer !== undefined).length);
      for (const [index, id] of ids.entries()) expect(await eventLog.approvals.answerTo(id)).toEqual(taken[index]);
    });

    test("a question can be answered again if its owner closed it and died", async () => {
      const [one, two] = [await open("closed"), await open("closed")];
      await appendEvents(one, scope, begun, question("1"));
      await one.approvals.close("1");
      const answer = { decision: "allow", inputHash: "h" } as const;
      expect(await two.approvals.answer("1", answer)).toMatchObject({ outcome: "settled" });
      await one.close();
      expect(await two.approvals.open()).toMatchObject([{ id: "1", alive: false }]);
      expect(await two.approvals.answer("1", answer)).toMatchObject({ outcome: "stored" });
      await two.openWriter({ sessionId: "s" });
      expect(await two.approvals.takeOver("s")).toMatchObject([{ question: { approvalId: "1" }, answer }]);
    });

    for (let point = 0; point <= effectScript.length; point++) {
      const next = effectScript[point]?.draft.type;
      test(`a process that is killed ${next ? `before ${point + 1}, ${next},` : "after its run"} leaves a log without a gap, and its run ends`, async () => {
        const [schema, effects] = [`killed ${point}`, join(temporaryFolder(), "effects")];
        await (await open(schema)).close();
        const program = startLogProgram("dying-log-writer.ts", cluster.url, schema, "300", effects, String(point));
        await isReady(program);
        program.child.kill("SIGKILL");
        await program.ended;
        const eventLog = await open(schema);
        const events = await eventuallyEnded(eventLog);
        expect(isGapless(events)).toBe(true);
        const written = effectScript.map(({ draft }) => draft.type).slice(0, point);
        const types = events.map(({ type }) => type);
        const isWhole = point === effectScript.length;
        const own = isWhole || types.length === 0 ? types : types.slice(0, -1);
        expect(own).toEqual(written.slice(0, own.length));
        if (!isWhole && types.length > 0)
          expect(events.at(-1)).toMatchObject({ result: { stopReason: "error", error: { code: "process_died" } } });
        const hadEffect = existsSync(effects) && readFileSync(effects, "utf8") !== "";
        expect(types.includes("tool.started") || !hadEffect).toBe(true);
        const next = await appendEvents(eventLog, { runId: "next", sessionId: "session" }, notice("on"));
        expect(next[0]?.seq).toBe(events.length + 1);
      });
    }

    test("a session of a living process is refused, and says who has it", async () => {
      const program = startLogProgram("dying-log-writer.ts", cluster.url, "living", "300", "none", "3");
      await isReady(program);
      const eventLog = await open("living", 300);
      await expect(eventLog.openWriter({ sessionId: "session" })).rejects.toThrow(
        new RegExp(
          `^The session session is in use by the process ${program.child.pid} on .+\\. Wait until its run has ended`,
        ),
      );
      await expect(eventLog.removeSession("session")).rejects.toMatchObject({ code: "store_busy" });
    });

    test("who follows a session sees the events of another process, and the end of its run when it is killed", async () => {
      const eventLog = await open("followed");
      const enough = new AbortController();
      const seen: RunEvent[] = [];
      const following = (async () => {
        for await (const event of eventLog.follow({ sessionId: "session" }, enough.signal)) {
          seen.push(event);
          if (event.type === "run.finished") enough.abort();
        }
      })();
      const program = startLogProgram("dying-log-writer.ts", cluster.url, "followed", "500", "/dev/null", "7");
      await isReady(program);
      await expect.poll(() => seen.map(({ type }) => type)).toContain("tool.started");
      program.child.kill("SIGKILL");
      await following;
      expect(isGapless(seen)).toBe(true);
      expect(seen.at(-1)).toMatchObject({ result: { error: { code: "process_died" } } });
    });

    test("a run whose process is killed is not in progress in the lists of a log that was open all the time", async () => {
      const eventLog = await open("listed");
      const program = startLogProgram("dying-log-writer.ts", cluster.url, "listed", "500", "/dev/null", "7");
      await isReady(program);
      expect(await eventLog.runs()).toMatchObject([{ runId: "run", ended: false }]);
      program.child.kill("SIGKILL");
      const newest = async () => (await eventLog.sessions())[0]?.newest;
      await expect.poll(newest, { timeout: 10_000 }).toMatchObject({ runId: "run", ended: true });
    });

    test("a follower notices an event of another process by its notification, before it looks again", async () => {
      const [writing, following] = [await open("noticed"), await open("noticed")];
      const writer = await writing.openWriter({ sessionId: "s" });
      const enough = new AbortController();
      const delays: number[] = [];
      const done = (async () => {
        for await (const event of following.follow({ sessionId: "s" }, enough.signal)) {
          delays.push(Date.now() - event.time);
          if (delays.length === 6) enough.abort();
        }
      })();
      await sleep(500);
      for (let count = 0; count < 6; count++) {
        writer.append("a", notice(String(count)));
        await sleep(60);
      }
      await done;
      console.log(`noticed after ${delays.join(", ")} ms`);
      expect(delays).toHaveLength(6);
      await writer.close();
    });
  },
);

async function writeFor(schema: string, session: string, name: string): Promise<number> {
  return Number(await startLogProgram("busy-log-writer.ts", cluster.url, schema, session, name, seconds).output);
}

/** Checks that every run is complete and not mixed with others, with its text in order. */
async function expectWhole(eventLog: PostgresEventLog, sessionId: string, counts: readonly number[]): Promise<void> {
  const events = await eventLog.read({ sessionId });
  expect(events).toHaveLength(counts.reduce((total, count) => total + count, 0));
  expect(isGapless(events)).toBe(true);
  for (let start = 0; start < events.length; start += 42) {
    const run = events.slice(start, start + 42);
    expect(new Set(run.map(({ runId }) => runId)).size).toBe(1);
    const pieces = run.flatMap((event) => (event.type === "text.delta" ? [Number(event.text)] : []));
    expect(pieces).toEqual(Array.from({ length: 40 }, (_, index) => index));
  }
  expect((await eventLog.runs({ sessionId })).every(({ ended }) => ended)).toBe(true);
}

/** Waits until the session's lease has expired and its runs have ended, and returns its events. */
async function eventuallyEnded(eventLog: PostgresEventLog): Promise<readonly RunEvent[]> {
  await expect
    .poll(async () => {
      try {
        await (await eventLog.openWriter({ sessionId: "session" })).close();
        return "free";
      } catch {
        return "held";
      }
    })
    .toBe("free");
  return eventLog.read({ sessionId: "session" });
}

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "bridle-effects-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}
