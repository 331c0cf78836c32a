/**
 * One of many processes that share sessions, questions and a used-up window. For some time, it writes runs, each with a question, into
 * sessions that the others write too, answers the others' questions, and makes the window open a millisecond later. Prints its runs, the
 * questions that it answered, and the times that it set for the window.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { type ApprovalAnswer, type EventWriter, isBridleError } from "@bridle/protocol";
import { openPostgresEventLog } from "../src/index.ts";
import { begun, decided, delta, finished, question } from "./log-drafts.ts";

const [url = "", schema = "", name = "", sessions = "", seconds = ""] = process.argv.slice(2);
const eventLog = await openPostgresEventLog({ url, schema, maxConnections: 4 });
const { approvals, limits } = eventLog;
const until = performance.now() + Number(seconds) * 1000;
/** The longest time that a run waits for an answer. */
const answerMs = 2000;

const runs: string[] = [];
const answered: string[] = [];
const times: number[] = [];
let isWriting = true;

async function tryToOpen(sessionId: string): Promise<EventWriter | undefined> {
  try {
    return await eventLog.openWriter({ sessionId });
  } catch (error) {
    if (!isBridleError(error) || error.code !== "store_busy") throw error;
    await sleep(5);
    return undefined;
  }
}

/** Waits for the first answer. If none arrives in time, closes the question. */
async function waitForAnswer(id: string): Promise<ApprovalAnswer | undefined> {
  for (const end = performance.now() + answerMs; performance.now() < end; ) {
    if (await approvals.answerTo(id)) break;
    await sleep(10);
  }
  return approvals.close(id);
}

async function writeRun(writer: EventWriter, runId: string): Promise<void> {
  writer.append(runId, begun);
  writer.append(runId, question(runId));
  await writer.durable();
  const answer = await waitForAnswer(runId);
  writer.append(runId, decided(runId, answer?.by));
  for (let count = 0; count < 20; count++) writer.append(runId, delta(`${count}`));
  writer.append(runId, finished);
  await writer.durable();
  await writer.close();
}

async function write(): Promise<void> {
  while (performance.now() < until) {
    const writer = await tryToOpen(`s${Math.floor(Math.random() * Number(sessions))}`);
    if (writer === undefined) continue;
    const runId = `${name} ${runs.length}`;
    runs.push(runId);
    await writeRun(writer, runId);
  }
  isWriting = false;
}

async function answer(): Promise<void> {
  while (isWriting) {
    for (const { id, inputHash } of await approvals.open()) {
      if (id.startsWith(`${name} `)) continue;
      const given = { decision: "allow", inputHash, by: name } as const;
      if ((await approvals.answer(id, given)).accepted) answered.push(id);
    }
    await sleep(20);
  }
}

async function postpone(): Promise<void> {
  while (isWriting) {
    const stored = await limits.read("account");
    const resetsAt = (stored?.resetsAt ?? 0) + 1;
    if (await limits.replace("account", stored, { window: name, resetsAt })) times.push(resetsAt);
    await sleep(5);
  }
}

await Promise.all([write(), answer(), postpone()]);
await eventLog.close();
console.log(JSON.stringify({ runs, answered, times }));
