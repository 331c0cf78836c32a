/** Answers through the event log, from any process that has it open. */
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
  parseAnswer,
  pendingQuestions,
  type Question,
  type RunEvent,
  type StoredAnswerResult,
  toApproval,
  toJson,
} from "@bridle/protocol";
import type { Redactor } from "../redaction/redactor.ts";
import { createInputMatcher } from "./input-matcher.ts";

/** The parts of an approval store that depend on the event log. */
export interface ApprovalStoreParts {
  /** The questions and answers in the log: all, or those of a session. Each stream is in order. */
  approvalEvents(sessionId?: string): readonly RunEvent[];
  /** Whether the run of a question and its process are still active. */
  isAlive(question: Question): boolean;
  /** The stored state of a question: an answer, an empty object if it was closed without one, or undefined. */
  find(id: string): { readonly answer?: unknown } | undefined;
  save(question: Question, answer: ApprovalAnswer | undefined): void;
  /** Runs `work` while no other process can write. */
  exclusively<T>(work: () => T): T;
  readonly redactor: Redactor;
}

export function createApprovalStore(parts: ApprovalStoreParts): ApprovalStore {
  const { approvalEvents, isAlive, find, save, exclusively, redactor } = parts;

  function answerTo(id: string): ApprovalAnswer | undefined {
    const answer = find(id)?.answer;
    return answer === undefined ? undefined : approvalAnswerSchema.parse(answer);
  }

  /** The stored answer. If there is none, the question is closed without one. */
  function closed(question: Question): ApprovalAnswer | undefined {
    const answer = answerTo(question.approvalId);
    if (answer === undefined) save(question, undefined);
    return answer;
  }

  function take(id: string, answer: ApprovalAnswer): StoredAnswerResult {
    const events = approvalEvents();
    const asked = events.some((event) => event.type === "approval.requested" && event.approvalId === id);
    if (!asked) return refuse("unknown", "is not known");
    const question = pendingQuestions(events).find(({ approvalId }) => approvalId === id);
    if (question === undefined || find(id) !== undefined) return refuse("settled", "is settled already");
    if (answer.inputHash !== question.inputHash) return refuse("input-changed", "is about another input");
    save(question, answer);
    return accept(question, isAlive(question));
  }

  return {
    open() {
      const questions = pendingQuestions(approvalEvents()).filter(({ approvalId }) => find(approvalId) === undefined);
      return questions.map((question) => toOpen(question, isAlive(question))).sort((a, b) => a.askedAt - b.askedAt);
    },
    answer(id, given) {
      const answer = checkForStore(given, redactor);
      return exclusively(() => take(id, answer));
    },
    answerTo,
    close: (id) =>
      exclusively(() => {
        const question = pendingQuestions(approvalEvents()).find(({ approvalId }) => approvalId === id);
        return question && closed(question);
      }),
    takeOver(sessionId) {
      if (pendingQuestions(approvalEvents(sessionId)).length === 0) return [];
      return exclusively(() => {
        const orphaned = pendingQuestions(approvalEvents(sessionId)).filter((question) => !isAlive(question));
        return orphaned.map((question) => {
          const answer = closed(question);
          return { question, ...(answer !== undefined && { answer }) };
        });
      });
    },
  };
}

/** Waits for answers through the event log. Throws ConfigError if the log accepts none. */
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

/** Answers are stored on disk: credentials in texts are redacted; in inputs and patterns they are refused. */
function checkForStore(given: unknown, redactor: Redactor): ApprovalAnswer {
  const { message, by, ...answer } = parseAnswer(given);
  createInputMatcher(answer.when);
  const input = answer.input === undefined ? undefined : toJson(answer.input);
  if (redactor.value(input) !== input || redactor.value(answer.when) !== answer.when) {
    throw new InvalidRequestError(
      "The answer holds what looks like a credential, which is not put on disk. Answer where the run is, or without it.",
    );
  }
  return {
    ...answer,
    ...(input !== undefined && { input }),
    ...(message !== undefined && { message: redactor.text(message) }),
    ...(by !== undefined && { by: redactor.text(by) }),
  };
}

function toOpen(question: Question, alive: boolean): OpenApproval {
  const { sessionId, time: askedAt } = question;
  return { ...toApproval(question), ...(sessionId !== undefined && { sessionId }), askedAt, alive };
}

function accept({ sessionId }: Question, alive: boolean): StoredAnswerResult {
  if (alive) return { accepted: true, outcome: "delivered", message: "The answer was taken." };
  if (sessionId !== undefined) {
    const message = `Its run is over. The answer is kept for the next run of the session ${sessionId}.`;
    return { accepted: true, outcome: "stored", message };
  }
  return {
    accepted: true,
    outcome: "run-ended",
    message: "Its run is over, and is of no session: no call follows from it.",
  };
}

function refuse(outcome: AnswerOutcome, reason: string): StoredAnswerResult {
  return { accepted: false, outcome, message: `The question ${reason}. Nothing was changed.` };
}
