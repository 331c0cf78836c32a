/** Answers through the event log, from any process that has it open. */
import { setTimeout as sleep } from "node:timers/promises";
import {
  type AnswerOutcome,
  type ApprovalAnswer,
  type ApprovalStore,
  type Approver,
  approvalAnswerSchema,
  ConfigError,
  type EventLog,
  InvalidRequestError,
  type OpenApproval,
  type OrphanedApproval,
  omitUndefined,
  parseAnswer,
  pendingCopies,
  pendingQuestions,
  type Question,
  type RunEvent,
  type StoredAnswerResult,
  type StreamScope,
  toApproval,
  toJson,
} from "@bridle/protocol";
import type { Redactor } from "../redaction/redactor.ts";
import { AnswerWatch, type AnswerWatchOptions } from "./answer-watch.ts";
import { createInputMatcher } from "./input-matcher.ts";

/** The parts of an approval store that depend on the event log. */
export interface ApprovalStoreParts extends AnswerWatchOptions {
  /** Reads the questions and answers of the whole log or of one stream. The events of each stream are in order. */
  approvalEvents(stream?: StreamScope): Promise<readonly RunEvent[]>;
  /** Whether the run of a question and its process are still active. */
  isAlive(question: Question): Promise<boolean>;
  /** Reads the stored state of a question: its answer, an empty object if the question was closed without an answer, or undefined. */
  find(id: string): Promise<{ readonly answer?: unknown } | undefined>;
  /**
   * Stores an answer, or closes a question without an answer. Returns false, and changes nothing, if the question has an answer, is closed,
   * or its outcome is in the log. Of several calls at the same time, one succeeds.
   */
  settle(question: Question, answer: ApprovalAnswer | undefined): Promise<boolean>;
  readonly redactor: Redactor;
}

/** How long an answer waits until its run takes it, and the longest pause between two checks, in milliseconds. */
const [takenWithinMs, maxPauseMs] = [3000, 200];

export function createApprovalStore(parts: ApprovalStoreParts): ApprovalStore {
  return new SharedApprovals(parts);
}

class SharedApprovals implements ApprovalStore {
  readonly #parts: ApprovalStoreParts;
  readonly #watch: AnswerWatch;

  constructor(parts: ApprovalStoreParts) {
    this.#parts = parts;
    this.#watch = new AnswerWatch(parts);
  }

  open = async (): Promise<readonly OpenApproval[]> => {
    const found: OpenApproval[] = [];
    const events = await this.#parts.approvalEvents();
    for (const question of answerable(events)) {
      if (await this.#parts.find(question.approvalId)) continue;
      const alive = await this.#parts.isAlive(question);
      found.push({ ...toOpen(question, alive), ...listCallers(copiesOf(question, events)) });
    }
    return found.sort((a, b) => a.askedAt - b.askedAt);
  };

  answer: ApprovalStore["answer"] = async (id, given) => {
    const answer = checkForStore(given, this.#parts.redactor);
    const events = await this.#parts.approvalEvents();
    const asked = events.some((event) => event.type === "approval.requested" && event.approvalId === id);
    if (!asked) return refuse("unknown", "is not known");
    const question = answerable(events).find(({ approvalId }) => approvalId === id);
    if (question === undefined || (await this.#parts.find(id))) return refuse("settled", "is settled already");
    if (answer.inputHash !== question.inputHash) return refuse("input-changed", "is about another input");
    if (!(await this.#parts.settle(question, answer))) return refuse("settled", "is settled already");
    this.#watch.announce(id);
    return this.#untilTaken(question, copiesOf(question, events).length > 0);
  };

  watch: ApprovalStore["watch"] = (id, listener) => this.#watch.add(id, listener);

  answerTo = async (id: string): Promise<ApprovalAnswer | undefined> => {
    const answer = (await this.#parts.find(id))?.answer;
    return answer === undefined ? undefined : approvalAnswerSchema.parse(answer);
  };

  close = async (id: string): Promise<ApprovalAnswer | undefined> => {
    const question = answerable(await this.#parts.approvalEvents()).find(({ approvalId }) => approvalId === id);
    return question && this.#close(question);
  };

  takeOver: ApprovalStore["takeOver"] = async (sessionId) => {
    const found: OrphanedApproval[] = [];
    const events = await this.#parts.approvalEvents({ sessionId });
    for (const question of [...pendingQuestions(events), ...pendingCopies(events)]) {
      if (await this.#parts.isAlive(question)) continue;
      const answer = await this.#close(originalOf(question));
      found.push({ question, ...(answer !== undefined && { answer }) });
    }
    return found;
  };

  /** Waits until the run has taken an answer, which it does by writing the outcome into the log. */
  async #untilTaken(question: Question, hasCallers: boolean): Promise<StoredAnswerResult> {
    const until = performance.now() + takenWithinMs;
    for (let pauseMs = 10; ; pauseMs = Math.min(pauseMs * 2, maxPauseMs)) {
      const isAlive = await this.#parts.isAlive(question); // before the events: a run takes the answer first, then it ends
      const source = await this.#sourceOfOutcome(question);
      if (source === "run-ended") return notTaken;
      if (source !== undefined) return delivered;
      if (!isAlive) return hasCallers ? abandoned : acceptLate(question);
      if (performance.now() > until) return acceptPending(question);
      await sleep(pauseMs);
    }
  }

  async #sourceOfOutcome({ approvalId, runId, sessionId }: Question): Promise<string | undefined> {
    const events = await this.#parts.approvalEvents(sessionId === undefined ? { runId } : { sessionId });
    for (const event of events)
      if (event.type === "approval.decided" && event.approvalId === approvalId) return event.source;
    return undefined;
  }

  /** Returns the stored answer. If no answer is stored, closes the question. */
  async #close(question: Question): Promise<ApprovalAnswer | undefined> {
    const isFirst = await this.#parts.settle(question, undefined);
    return isFirst ? undefined : this.answerTo(question.approvalId);
  }
}

/** Creates an approver that waits for answers through the event log. Throws ConfigError if the log accepts no answers. */
export function onlyFromEventLog(record: EventLog | undefined): Approver {
  if (record?.approvals === undefined) {
    throw new ConfigError(
      'approve is "event-log", but the event log accepts no answers. Set eventLog, or answer in a function.',
      {
        field: "approve",
      },
    );
  }
  return (_approval, signal) =>
    new Promise((_resolve, reject) => {
      const leave = () => reject(signal.reason);
      if (signal.aborted) leave();
      else signal.addEventListener("abort", leave, { once: true });
    });
}

/** Checks an answer before it is stored on disk. Redacts credentials in its texts, and refuses credentials in its inputs and patterns. */
function checkForStore(given: unknown, redactor: Redactor): ApprovalAnswer {
  const { message, by, ...answer } = parseAnswer(given);
  createInputMatcher(answer.when);
  const input = answer.input === undefined ? undefined : toJson(answer.input);
  if (redactor.value(input) !== input || redactor.value(answer.when) !== answer.when) {
    throw new InvalidRequestError(
      "The answer contains text that looks like a credential, so it was not stored. Answer in the process of the run, or remove the credential.",
    );
  }
  return {
    ...answer,
    ...(input !== undefined && { input }),
    ...(message !== undefined && { message: redactor.text(message) }),
    ...(by !== undefined && { by: redactor.text(by) }),
  };
}

/** Returns a question as it is in the log of the run that asked it. */
function originalOf(question: Question): Question {
  const { nested, sessionId: _ofCaller, ...rest } = question;
  return nested === undefined ? question : { ...rest, ...omitUndefined(nested) };
}

function toOpen(question: Question, alive: boolean): OpenApproval {
  const { sessionId, time: askedAt } = question;
  return { ...toApproval(question), ...(sessionId !== undefined && { sessionId }), askedAt, alive };
}

/** Lists the open questions of this log, and the copies of questions from another runtime's log: an answer in this log counts for both. */
function answerable(events: readonly RunEvent[]): Question[] {
  const own = new Set<string>();
  for (const event of events) if (event.type === "approval.requested" && !event.nested) own.add(event.approvalId);
  return [...pendingQuestions(events), ...pendingCopies(events).filter(({ approvalId }) => !own.has(approvalId))];
}

/** Lists the copies of a question in the logs of the runs that called its run. */
function copiesOf({ approvalId }: Question, events: Iterable<RunEvent>): Question[] {
  const copies: Question[] = [];
  for (const event of events)
    if (event.type === "approval.requested" && event.nested && event.approvalId === approvalId) copies.push(event);
  return copies;
}

function listCallers(copies: readonly Question[]): Pick<OpenApproval, "callers"> {
  const callers = copies.flatMap(({ sessionId = [] }) => sessionId);
  return callers.length === 0 ? {} : { callers };
}

const delivered: StoredAnswerResult = { accepted: true, outcome: "delivered", message: "The answer was taken." };

const abandoned: StoredAnswerResult = {
  accepted: true,
  outcome: "run-ended",
  message:
    "Nobody waits for it: its run is over, and the run that called it does not continue it. No call follows from it.",
};

const notTaken: StoredAnswerResult = {
  accepted: true,
  outcome: "run-ended",
  message: "Its run ended before it took the answer: no call follows from it.",
};

function acceptPending({ runId, sessionId }: Question): StoredAnswerResult {
  const next = sessionId === undefined ? "no call follows from it" : `the next run of the session ${sessionId} uses it`;
  return {
    accepted: true,
    outcome: "pending",
    message: `The answer is stored, but the run ${runId} has not taken it yet: its process is busy or has just died. If it has died, ${next}.`,
  };
}

function acceptLate({ sessionId }: Question): StoredAnswerResult {
  if (sessionId !== undefined) {
    const message = `Nobody waits for it: its run is over. The answer is kept for the next run of the session ${sessionId}; send a message there to continue.`;
    return { accepted: true, outcome: "stored", message };
  }
  return {
    accepted: true,
    outcome: "run-ended",
    message:
      "Nobody waits for it: its run is over, and it has no session. No call follows from it; start the run again.",
  };
}

function refuse(outcome: AnswerOutcome, reason: string): StoredAnswerResult {
  return { accepted: false, outcome, message: `The question ${reason}. Nothing was changed.` };
}
