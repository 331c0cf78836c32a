/** The process is killed at each point of a run that has effects. Then the next process continues its session. */

import type { SentRequest } from "@bridle/conformance";
import { sha256 } from "@bridle/core";
import { createRuntime, type EventLog, openProjectEventLog, pendingApprovals, type RunEvent } from "bridle";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import * as local from "../packages/hosts/claude-code/tests/support/test-context.ts";
import { sentRequests } from "../packages/hosts/model-api/tests/sent-requests.ts";
import { PostgresCluster, skipsPostgres } from "../packages/stores/postgres/tests/postgres-cluster.ts";
import { type CrashProject, openCrashProject } from "./support/crash-project.ts";
import { effectsIn, requestOf, rules } from "./support/crash-tools.ts";
import { isSoak, sampleOf } from "./support/soak.ts";

const whereEffectsAre = ["pay", "mail", "erase"].flatMap((tool) => [`in ${tool}`, `done ${tool}`]);
const sessionId = "crashing";

/** The time limit for one test with all of its crashes, in milliseconds. */
const limitOfSixtyCrashes = 1_800_000;

describe("a process that is killed in a run of a session", () => {
  test(
    "before or after any of its writes, in a tool or at a question leaves a session that can be continued",
    async () => {
      await expectAllGoOn(25);
    },
    limitOfSixtyCrashes,
  );

  test.each(sampleOf(["in pay", "done pay", "after tool.finished", "asked"], 2))(
    "on the real Claude Code, at the point «%s», leaves a session that can be continued",
    async (point) => expectItGoesOn(await crash("claude-code", point), point),
  );
});

describe.skipIf(skipsPostgres)(
  "a process that writes into PostgreSQL and is killed (needs Debian's package postgresql)",
  () => {
    let cluster: PostgresCluster;
    let schemas = 0;
    beforeAll(async () => {
      cluster = await PostgresCluster.create();
    });
    afterAll(() => cluster?.remove());

    test(
      "before or after any of its writes, in a tool or at a question leaves a session that can be continued",
      async () => {
        await expectAllGoOn(9, () => `{ type: postgres, url: "${cluster.url}", schema: s${schemas++}, leaseMs: 500 }`);
      },
      limitOfSixtyCrashes,
    );
  },
);

/**
 * Kills the process at `few` of the points in `npm test`, and at all of them in `npm run soak`. `eventLog` returns the `eventLog` block of
 * `bridle.yaml`, a different one for each process. Default: the event log is on disk.
 */
async function expectAllGoOn(few: number, eventLog?: () => string): Promise<void> {
  const writes = await writesOf();
  const all = [...pointsAround(writes), ...whereEffectsAre, "asked"];
  expect(all.length).toBeGreaterThanOrEqual(60);
  const points = isSoak ? all : sampleOf([...pointsOfKinds(writes), ...whereEffectsAre, "asked"], few);
  expect(points.length).toBeGreaterThanOrEqual(few);
  await threeAtATime(points, async (point) => expectItGoesOn(await crash("anthropic", point, eventLog?.()), point));
}

/** Lists the event types of a run that is not killed. */
async function writesOf(): Promise<readonly string[]> {
  const project = await openProcesses("anthropic");
  const output = await project.start("crashing-session.ts").output;
  return output.trim().split("\n");
}

/** Lists the points before and after each write. Pieces of text may be in memory only, so no process is killed around them. */
function pointsAround(writes: readonly string[]): string[] {
  return writes.flatMap((type, index) => {
    if (type.endsWith(".delta")) return [];
    return [`before ${index + 1}`, `after ${index + 1}`];
  });
}

/**
 * Lists one point for each pair of event types that follow each other for the first time in the run. Between two writes, the process only
 * computes, so the point after the first write and the point before the second are equivalent, unless pieces of text come in between.
 */
function pointsOfKinds(writes: readonly string[]): string[] {
  const kept = writes.flatMap((type, index) => (type.endsWith(".delta") ? [] : [{ type, number: index + 1 }]));
  const kinds = kept.map(({ type }, at) => `${type}, ${kept[at + 1]?.type}`);
  const points = kept.flatMap(({ number }, at) => {
    if (kinds.indexOf(kinds[at] ?? "") < at) return [];
    const [after, next] = [`after ${number}`, kept[at + 1]?.number];
    if (next === number + 1) return at % 2 === 0 ? [after] : [`before ${next}`];
    return next === undefined ? [after] : [after, `before ${next}`];
  });
  return ["before 1", ...points];
}

interface Crashed {
  readonly project: CrashProject;
  /** The types of the events that the process had appended when it was killed. */
  readonly written: readonly string[];
  sent(): readonly SentRequest[];
}

type Host = Parameters<typeof openCrashProject>[0];

async function openProcesses(host: Host, eventLog?: string): Promise<CrashProject> {
  const project = await openCrashProject(host, eventLog);
  onTestFinished(project.close);
  return project;
}

async function crash(host: Host, point: string, eventLog?: string): Promise<Crashed> {
  const project = await openProcesses(host, eventLog);
  const { output, ended } = project.start("crashing-session.ts", point);
  const written = (await output).split("\n").slice(0, -1);
  expect(await ended, point).toBe("SIGKILL");
  const read = host === "claude-code" ? local.sentRequests : sentRequests;
  return { project, written, sent: () => read(project.rehearsal.requests) };
}

async function expectItGoesOn({ project, written, sent }: Crashed, point: string): Promise<void> {
  const { folder: projectDir, environment } = project;
  const record = await openEnded(project);
  const before = await record.read({ sessionId });
  expectWhole(before, written.slice(0, countWritten(before, written)), point);
  await expectArtifacts(record, before, point);
  await expectAnswerable(record, before, point);
  expectToldIsOnRecord(sent(), before, point);
  await record.close();
  expectEffects(effectsIn(projectDir), before, point);

  const runtime = await createRuntime({ projectDir, environment, policy: rules, eventLog: "project" });
  const session = await runtime.openSession(requestOf(projectDir));
  const result = await (await session.send("Go on")).result;
  expect(result, point).toMatchObject({ stopReason: "natural", text: "Went on.", toolCalls: 1 });
  expect(resultsTold(sent().find(isSecondTurn)), point).toEqual(before.flatMap((event) => answerTo(event, before)));
  expect(project.rehearsal.failures, point).toEqual([]);
  await runtime.close();
  await expectAnswered(project, before, point);
  expectEffects(effectsIn(projectDir), before, point);
}

/** Opens the event log once the dead process's lease has ended. On disk, that is at once. */
async function openEnded({ folder: projectDir, environment }: CrashProject): ReturnType<typeof openProjectEventLog> {
  for (;;) {
    const record = await openProjectEventLog({ projectDir, environment });
    if ((await record.runs()).every(({ ended }) => ended)) return record;
    await record.close();
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/**
 * Counts the appended events that are in the log: all of them, or all but the newest, followed by an end event from another process. The
 * newest events may be missing if nothing waited for them to be stored.
 */
function countWritten(events: readonly RunEvent[], written: readonly string[]): number {
  const isDead = events.some((event) => event.type === "run.finished" && event.result.error?.code === "process_died");
  return isDead ? Math.min(events.length - 1, written.length) : Math.min(events.length, written.length);
}

/** Checks that the log has no gaps, contains all written events, and ends the run once. */
function expectWhole(events: readonly RunEvent[], written: readonly string[], point: string): void {
  const isKept = (type: string) => !type.endsWith(".delta");
  expect(
    events.map(({ seq }) => seq),
    point,
  ).toEqual(events.map((_, index) => index + 1));
  const types = events.map(({ type }) => type).filter(isKept);
  expect(types.slice(0, written.filter(isKept).length), point).toEqual(written.filter(isKept));
  const ends = events.filter((event) => event.type === "run.finished");
  expect(ends, point).toHaveLength(events.length === 0 ? 0 : 1);
  expect(events.at(-1), point).toEqual(ends.at(-1));
  if (events.length === 0 || written.includes("run.finished")) return;
  const endedItself = ends[0]?.result.stopReason === "natural"; // the process was killed after its last write, before it reported the end
  if (!endedItself) expect(ends[0]?.result.error, point).toMatchObject({ code: "process_died" });
}

/** Checks that every artifact (a text stored by its hash) that an event refers to is stored. */
async function expectArtifacts(record: EventLog, events: readonly RunEvent[], point: string): Promise<void> {
  for (const event of events) {
    if (!("artifact" in event) || event.artifact === undefined) continue;
    expect(sha256((await record.artifact(event.artifact)) ?? ""), point).toBe(event.artifact);
  }
}

/** Checks that every result of a tool with effects that was sent to the model is in the event log. */
function expectToldIsOnRecord(sent: readonly SentRequest[], events: readonly RunEvent[], point: string): void {
  const told = sent.flatMap(resultsTold).filter((output) => output.startsWith("Done: "));
  const finished = events.flatMap((event) => (event.type === "tool.finished" ? [event.output] : []));
  expect(finished, point).toEqual(expect.arrayContaining(told));
}

/** Checks that the unanswered question is still open and accepts an answer. */
async function expectAnswerable({ approvals }: EventLog, events: readonly RunEvent[], point: string): Promise<void> {
  const asked = events.filter(({ type }) => type === "approval.requested").length;
  const decided = events.filter(({ type }) => type === "approval.decided").length;
  const pending = pendingApprovals(events);
  expect(pending, point).toHaveLength(asked - decided);
  if (point === "asked") expect(pending, point).toMatchObject([{ tool: "erase", input: { what: "the draft" } }]);
  expect(await approvals?.open(), point).toMatchObject(pending.map(({ id }) => ({ id, alive: false })));
  for (const { id, inputHash } of pending) {
    const answer = { inputHash, decision: "allow" } as const;
    expect(await approvals?.answer(id, answer), point).toMatchObject({ accepted: true, outcome: "stored" });
    expect(await approvals?.answer(id, answer), point).toMatchObject({ accepted: false, outcome: "settled" });
  }
}

/** Checks that the next run logs an answer that was given between the runs. */
async function expectAnswered({ folder, environment }: CrashProject, before: readonly RunEvent[], point: string) {
  const record = await openProjectEventLog({ projectDir: folder, environment });
  const after = await record.read({ sessionId, from: before.length + 1 });
  const decided = after.flatMap((event) => (event.type === "approval.decided" ? [event] : []));
  const pending = pendingApprovals(before);
  expect(decided, point).toMatchObject(pending.map(({ id }) => ({ approvalId: id, source: "answer" })));
  expect(after.at(-1)?.seq, point).toBe(before.length + after.length);
  await record.close();
}

/** Checks that the start of every effect is in the event log, that every logged effect has happened, and that none has happened twice. */
function expectEffects(effects: readonly string[], events: readonly RunEvent[], point: string): void {
  const callsOf = (type: RunEvent["type"]) =>
    events.flatMap((event) => (event.type === type && "callId" in event ? [event.callId] : []));
  const hadEffect = effects.map((line) => line.split(" ").at(-1) ?? "");
  const looks = events.flatMap((event) =>
    event.type === "tool.requested" && event.tool === "look" ? [event.callId] : [],
  );
  const done = callsOf("tool.finished").filter((callId) => !looks.includes(callId));
  expect(new Set(hadEffect).size, point).toBe(effects.length);
  expect(callsOf("tool.started"), point).toEqual(expect.arrayContaining(hadEffect));
  expect(hadEffect, point).toEqual(expect.arrayContaining(done));
}

/**
 * Returns the output that the model should get for a call: its result, a note that the result is unknown, or a note that the call was not
 * made, with the answer that the user has given since.
 */
function answerTo(event: RunEvent, events: readonly RunEvent[]): unknown[] {
  if (event.type !== "tool.requested") return [];
  const own = events.filter((other) => "callId" in other && other.callId === event.callId);
  const finished = own.find((other) => other.type === "tool.finished");
  if (finished?.type === "tool.finished") return [finished.output];
  const started = own.some(({ type }) => type === "tool.started");
  if (started) return [expect.stringContaining("is not known")];
  const isAsked = pendingApprovals(own).length > 0;
  return [expect.stringMatching(isAsked ? /was not executed.* has allowed it since/ : /was not executed/)];
}

/** Whether the request belongs to the second turn. An orphaned Claude Code may have sent another request before it. */
function isSecondTurn({ texts }: SentRequest): boolean {
  return texts.some((text) => text.includes("Go on"));
}

function resultsTold(request: SentRequest | undefined): string[] {
  const parts = request?.messages.flatMap(({ content }) => content) ?? [];
  return parts.flatMap((part) => (part.type === "tool-result" ? [part.output] : []));
}

async function threeAtATime<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const waiting = [...items];
  const worker = async () => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await work(item);
  };
  await Promise.all([worker(), worker(), worker()]);
}
