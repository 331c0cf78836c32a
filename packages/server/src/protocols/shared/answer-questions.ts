/** Answers the questions with which a protocol's response ended, and continues the run. */
import { isDeepStrictEqual } from "node:util";
import type { Workspace } from "@bridle/app/serving";
import type { ApprovalAnswer, EventOf, OpenApproval, RunSummary } from "@bridle/protocol";
import { readPages, readRun } from "../../api/read-run.ts";
import { describeCaller } from "../../http/describe-caller.ts";
import { RequestProblem } from "../../http/problem.ts";
import type { RequestSender } from "../../http/route.ts";
import type { RunPlace } from "./follow-run.ts";
import { type Asked, PauseSearch } from "./run-pauses.ts";

/** The stored answer to a question. */
type FirstAnswer = Pick<ApprovalAnswer, "decision" | "input"> & { readonly source?: string | undefined };

export type GivenAnswer = Pick<ApprovalAnswer, "decision" | "message" | "input">;

/** The answers of one request, by the id of the question. */
export interface GivenAnswers {
  readonly agent: string;
  readonly sessionId: string;
  readonly answers: ReadonlyMap<string, GivenAnswer>;
  readonly caller: RequestSender;
}

/** A run, and the number of the event before its next part. */
export interface Continued extends RunPlace {
  readonly after: number;
}

/** The maximum number of newest runs of a session to search for a question. */
const maxRuns = 20;

const continuePrompt = "The question about the tool call has been answered. Continue.";

/** Lists the open questions of a session, and of the runs that the session has called. */
async function openQuestions(
  { eventLog }: Pick<Workspace, "eventLog">,
  sessionId: string,
): Promise<readonly OpenApproval[]> {
  const open = await eventLog.approvals.open();
  return open.filter((each) => each.sessionId === sessionId || each.callers?.includes(sessionId));
}

/** Rejects a new prompt. @throws RequestProblem if a question of the session is open, because the run waits for the answer. */
export async function refuseIfAsked(workspace: Pick<Workspace, "eventLog">, sessionId: string): Promise<void> {
  const open = await openQuestions(workspace, sessionId);
  if (open.length === 0) return;
  const approvals = open.map(({ id }) => id);
  const message = `A question of this conversation is open: may ${open[0]?.tool} run? Answer it first.`;
  throw new RequestProblem(409, "approval-open", message, { approvals });
}

/**
 * Stores the answers. An answered question keeps its first answer, so the same request can be repeated, and reads the same part of the
 * run again.
 *
 * @throws RequestProblem if a question is unknown, or if a question that was asked with the others has no answer.
 */
export async function answerQuestions(workspace: Workspace, given: GivenAnswers): Promise<Continued> {
  const { agent, sessionId, answers, caller } = given;
  const { run, asked, decided, pause } = await findQuestions(workspace, given);
  const isDecided = (id: string) => decided.has(id);
  await refuseOtherAnswers(workspace, answers, decided);
  const later = run.ended ? await findLaterRun(workspace, sessionId, pause) : undefined;
  if (later) return later;
  const missing = pause.shown.map(({ approvalId }) => approvalId).filter((id) => !answers.has(id) && !isDecided(id));
  if (missing.length > 0) {
    const message = "Each question that was asked together needs an answer. Send all of them in one request.";
    throw new RequestProblem(409, "approvals-missing", message, { approvals: missing });
  }
  const by = describeCaller(caller);
  const open = asked.filter(({ approvalId }) => answers.has(approvalId) && !isDecided(approvalId));
  const outcomes = await Promise.all(open.map((question) => giveAnswer(workspace, question, answers, by)));
  if (outcomes.includes("settled")) await refuseOtherAnswers(workspace, answers, decided); // another answer came first
  const isOrphaned = run.ended && pause.shown.some(({ approvalId }) => !isDecided(approvalId));
  if (!isOrphaned && !outcomes.includes("stored")) return { runId: run.runId, sessionId, after: pause.seq };
  const value = `continue ${pause.shown[0]?.approvalId}`;
  const key = { value, bodyHash: "" }; // repeated or concurrent requests with the same answers start no second run
  const next = await workspace.runs.start({ agent, session: sessionId, prompt: continuePrompt, key });
  return { ...next, after: next.firstSeq - 1 };
}

/** Compares the answers with the stored ones. @throws RequestProblem if a question has another answer, or is closed and now allowed. */
async function refuseOtherAnswers(
  { eventLog }: Pick<Workspace, "eventLog">,
  answers: GivenAnswers["answers"],
  decided: ReadonlyMap<string, FirstAnswer>,
): Promise<void> {
  for (const [id, given] of answers) {
    const first: FirstAnswer | undefined = decided.get(id) ?? (await eventLog.approvals.answerTo(id));
    if (first === undefined || first.source === "run-ended") continue; // the reply shows the client how the run ended
    if (isSameAnswer(given, first)) continue;
    const message = `The question ${id} is settled already (${first.decision}), and nothing was changed.`;
    throw new RequestProblem(409, "approval-settled", message, { approvals: [id] });
  }
}

/** Whether two answers are the same. Ignores the message for the model, because a client may repeat an answer without the message. */
function isSameAnswer(given: GivenAnswer, first: FirstAnswer): boolean {
  const isAllowed = first.decision === "allow";
  if ((given.decision === "allow") !== isAllowed) return false;
  return !isAllowed || given.input === undefined || isDeepStrictEqual(given.input, first.input);
}

async function giveAnswer(
  { eventLog }: Workspace,
  { approvalId, inputHash }: Asked,
  answers: GivenAnswers["answers"],
  by: string,
): Promise<string> {
  const answer = answers.get(approvalId);
  return answer ? (await eventLog.approvals.answer(approvalId, { ...answer, inputHash, by })).outcome : "unknown";
}

interface FoundQuestions {
  readonly run: RunSummary;
  /** All questions of the run. */
  readonly asked: readonly Asked[];
  /** The questions that were decided, by an answer or because the run was stopped. */
  readonly decided: ReadonlyMap<string, FirstAnswer>;
  /** The newest pause with answers. */
  readonly pause: { readonly seq: number; readonly shown: readonly Asked[] };
}

async function findQuestions({ eventLog }: Workspace, { sessionId, answers }: GivenAnswers): Promise<FoundQuestions> {
  const ids = new Set(answers.keys());
  for (const run of await eventLog.runs({ sessionId, last: maxRuns })) {
    const { asked, decided, pause } = await readQuestions(eventLog, run.runId, ids);
    if (pause === undefined) continue;
    const unknown = [...ids].find((id) => !asked.some(({ approvalId }) => approvalId === id));
    if (unknown !== undefined) throw unknownQuestion(unknown);
    return { run, asked, decided, pause };
  }
  throw unknownQuestion([...ids][0] ?? "");
}

async function readQuestions(eventLog: Workspace["eventLog"], runId: string, ids: ReadonlySet<string>) {
  const asked: Asked[] = [];
  const decided = new Map<string, FirstAnswer>();
  const search = new PauseSearch(ids);
  for await (const page of readRun(eventLog, runId))
    for (const event of page) {
      search.next(event);
      if (event.type === "approval.requested") asked.push(event);
      if (event.type === "approval.decided") decided.set(event.approvalId, event);
    }
  return { asked, decided, pause: search.found };
}

/**
 * Finds the run that used the answers to the questions of a run that had ended before.
 *
 * @throws RequestProblem if a later run of the session started before the questions were answered, because they are then closed.
 */
async function findLaterRun(
  { eventLog }: Workspace,
  sessionId: string,
  { seq, shown }: FoundQuestions["pause"],
): Promise<Continued | undefined> {
  const ids = new Set(shown.map(({ approvalId }) => approvalId));
  const own = shown[0]?.runId;
  const begun = new Map<string, number>();
  let isClosed = false;
  for await (const page of readPages(eventLog, { sessionId }, { from: seq }))
    for (const event of page) {
      const { runId } = event;
      if (!begun.has(runId)) begun.set(runId, event.seq);
      if (event.type !== "approval.decided" || runId === own || !ids.has(event.approvalId)) continue;
      if (isAnswer(event)) return { runId, sessionId, after: (begun.get(runId) ?? event.seq) - 1 };
      isClosed = true;
    }
  if (!isClosed) return undefined;
  const message = "The question was closed without an answer when the conversation went on. Send a new message.";
  throw new RequestProblem(409, "approval-settled", message, { approvals: [...ids] });
}

/** Whether a decision is an answer. A question can also be closed without an answer. */
function isAnswer(event: EventOf<"approval.decided">): boolean {
  return event.source !== "run-ended";
}

function unknownQuestion(id: string): RequestProblem {
  const message = `The conversation has no question "${id.slice(0, 100)}". Check the id.`;
  return new RequestProblem(409, "unknown-approval", message);
}
