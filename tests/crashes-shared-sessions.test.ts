/** Starts several processes that send into sessions of one event log at the same time, through the library. */

import { inRows } from "@bridle/conformance";
import { sha256 } from "@bridle/core";
import { buildHistory, type HistoryPart } from "@bridle/protocol";
import {
  createRuntime,
  type EventLog,
  openProjectEventLog,
  type PromptMessage,
  type RunEvent,
  StoppedError,
  StoreBusyError,
} from "bridle";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { sentRequests } from "../packages/hosts/model-api/tests/sent-requests.ts";
import { PostgresCluster, skipsPostgres } from "../packages/stores/postgres/tests/postgres-cluster.ts";
import { type CrashProject, openCrashProject } from "./support/crash-project.ts";
import { requestOf, rules } from "./support/crash-tools.ts";

/** How long the processes send; `npm run soak` sets a longer time. */
const seconds = process.env.SOAK_SECONDS ?? "2";
const timeout = Number(seconds) * 2000 + 60_000;

describe("an event log on disk", () => testSharing(() => openProcesses()));

describe.skipIf(skipsPostgres)("an event log in PostgreSQL (needs Debian's package postgresql)", () => {
  let cluster: PostgresCluster;
  let schemas = 0;
  beforeAll(async () => {
    cluster = await PostgresCluster.create();
  });
  afterAll(() => cluster?.remove());

  testSharing(() => openProcesses(`{ type: postgres, url: "${cluster.url}", schema: s${schemas++} }`));
});

function testSharing(open: () => Promise<CrashProject>): void {
  test("two processes that send into one session take turns, and each model gets the whole history", {
    timeout,
  }, async () => {
    const project = await open();
    const senders = await Promise.all(["a", "b"].map((name) => runsOf(project, "shared", name)));
    await expectWhole(project, senders);
  });

  test("ten processes that send into ten sessions lose, duplicate and reorder nothing", { timeout }, async () => {
    const project = await open();
    const names = Array.from({ length: 10 }, (_, index) => `s${index}`);
    await expectWhole(project, await Promise.all(names.map((name) => runsOf(project, name, name))));
  });

  test("a run waits for the run of another process, and continues if that process is killed", async () => {
    const project = await open();
    const { child } = project.start("crashing-session.ts", "hang in pay");
    const { projectDir, session } = await openHere(project);
    await expect
      .poll(() => session.refresh().then(() => session.history().length), { timeout: 60_000 })
      .toBeGreaterThan(2);
    await expect(session.send("Go on", { whenBusy: "fail" })).rejects.toThrow(StoreBusyError);
    await expect(session.send("Go on", { whenBusy: "fail" })).rejects.toThrow(
      new RegExp(
        `^The session crashing is in use by the process ${child.pid}(?: on \\S+)?\\. Wait until its run has ended, or use another\\.$`,
      ),
    );
    await expect(session.send("Go on", { signal: AbortSignal.timeout(100) })).rejects.toThrow(StoppedError);
    const waiting = session.send("Go on");
    child.kill("SIGKILL");
    expect(await (await waiting).result).toMatchObject({ stopReason: "natural", text: "Went on." });
    const record = await openProjectEventLog({ projectDir, environment: project.environment });
    const ends = (await record.read({ sessionId: "crashing" })).filter((event) => event.type === "run.finished");
    expect(ends).toMatchObject([
      { result: { error: { code: "process_died" } } },
      { result: { stopReason: "natural" } },
    ]);
    await record.close();
  });
}

async function openProcesses(eventLog?: string): Promise<CrashProject> {
  const project = await openCrashProject("anthropic", eventLog);
  onTestFinished(project.close);
  return project;
}

async function openHere({ folder: projectDir, environment }: CrashProject) {
  const runtime = await createRuntime({ projectDir, environment, policy: rules, eventLog: "project" });
  onTestFinished(() => runtime.close());
  return { projectDir, session: await runtime.openSession(requestOf(projectDir)) };
}

/** Returns the id of each run of a process, and the hash of the events that the process observed. */
type Runs = readonly (readonly [runId: string, told: string])[];

async function runsOf(project: CrashProject, shared: string, name: string): Promise<Runs> {
  const { output, ended } = project.start("sharing-session.ts", shared, name, seconds);
  const lines = (await output).trim().split("\n");
  expect(await ended).toBeNull();
  return lines.map((line) => line.split(" ")).map(([runId = "", told = ""]) => [runId, told]);
}

async function expectWhole({ folder, environment, rehearsal }: CrashProject, senders: readonly Runs[]): Promise<void> {
  const record = await openProjectEventLog({ projectDir: folder, environment });
  onTestFinished(() => record.close());
  const runs = senders.flat();
  expect(Math.min(...senders.map(({ length }) => length))).toBeGreaterThan(0);
  expect((await record.runs()).map(({ runId }) => runId).sort()).toEqual(runs.map(([runId]) => runId).sort());
  for (const [runId, told] of runs) expect(sha256(JSON.stringify(await record.read({ runId })))).toBe(told);
  const sent = new Map(sentRequests(rehearsal.requests).map((request) => [fingerprint(request.messages), request]));
  for (const { sessionId } of await record.sessions()) {
    expectConversation(await record.read({ sessionId }), (fingerprint) => sent.has(fingerprint));
  }
  expect(rehearsal.failures).toEqual([]);
  await report(record, senders);
}

/** Checks that the log has no gaps, that runs follow one another, and that the model got the whole history in each run. */
function expectConversation(events: readonly RunEvent[], wasSent: (fingerprint: string) => boolean): void {
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
  const starts = events.filter(({ type }) => type === "run.started");
  for (const { seq, runId } of starts) {
    const own = events.slice(seq - 1).filter((event) => event.runId === runId);
    expect(own.at(-1)).toMatchObject({ type: "run.finished", seq: seq + own.length - 1 });
    const input = own.flatMap((event) => (event.type === "model.input" ? event.messages : []));
    const asked = input.map(({ content }) => ({ role: "user" as const, content: partsOf(content) }));
    expect(wasSent(fingerprint([...buildHistory(events.slice(0, seq - 1)), ...asked]))).toBe(true);
  }
}

function partsOf(content: PromptMessage["content"]): readonly HistoryPart[] {
  return typeof content === "string" ? [{ type: "text", text: content }] : content;
}

function fingerprint(messages: Parameters<typeof inRows>[0]): string {
  return sha256(JSON.stringify(inRows(messages)));
}

async function report(record: EventLog, senders: readonly Runs[]): Promise<void> {
  const events = (await record.sessions()).reduce((total, { lastSeq }) => total + lastSeq, 0);
  const counts = senders.map(({ length }) => length).join(" + ");
  console.log(
    `${senders.length} processes, ${seconds} s: ${counts} runs, ${(await record.sessions()).length} sessions, ${events} events`,
  );
}
