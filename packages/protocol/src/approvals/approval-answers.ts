import type { Approval, ApprovalAnswer, Question } from "./approval.ts";

/** What became of an answer; `message` says it in a sentence. */
export interface AnswerResult {
  readonly accepted: boolean;
  readonly message: string;
}

/** A question that has no answer yet. */
export interface OpenApproval extends Approval {
  readonly sessionId?: string;
  /** In milliseconds since the epoch. */
  readonly askedAt: number;
  /** Whether its run goes on, and waits for the answer. */
  readonly alive: boolean;
}

/**
 * `taken`: the run goes on with it. `kept`: the run is over, and the session's next one puts it on record. `ended`: the
 * run is over, and no other follows from it. With all others nothing was changed.
 */
export type AnswerOutcome = "delivered" | "stored" | "run-ended" | "unknown" | "settled" | "input-changed";

export interface StoredAnswerResult extends AnswerResult {
  readonly outcome: AnswerOutcome;
}

/** A question that the end of its run left open, and what was answered since. */
export interface OrphanedApproval {
  readonly question: Question;
  readonly answer?: ApprovalAnswer;
}

/**
 * Where answers to a record's questions are put, and where the owner of a run looks for them.
 *
 * Contract: of all that answer one question, and of the owner that closes it, exactly one is first. Every function is
 * synchronous, and what it says holds when it returns.
 */
export interface ApprovalStore {
  /** Questions without an answer, the oldest first. */
  open(): readonly OpenApproval[];
  /**
   * Answers one question, for the input that was read. Throws InvalidRequestError for an answer of another form, and for
   * one that holds a credential, which has no place on disk.
   */
  answer(id: string, answer: ApprovalAnswer & { inputHash: string }): StoredAnswerResult;
  /** The answer that was given to a question, if there is one. */
  answerTo(id: string): ApprovalAnswer | undefined;
  /** No answer is taken from now on; returns the one that was first. For the owner of the run. */
  close(id: string): ApprovalAnswer | undefined;
  /** Closes the questions of a session that no run waits for any more. For the owner of its next run. */
  takeOver(sessionId: string): readonly OrphanedApproval[];
}
