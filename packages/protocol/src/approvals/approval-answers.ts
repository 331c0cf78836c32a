import type { Approval, ApprovalAnswer, Question } from "./approval.ts";

/** The result of answering a question. */
export interface AnswerResult {
  /** Whether the answer takes effect. If false, nothing was changed. */
  readonly accepted: boolean;
  /** The result in a sentence. */
  readonly message: string;
}

/** A question without an answer. */
export interface OpenApproval extends Approval {
  /** In milliseconds since the epoch. */
  readonly askedAt: number;
  /** Whether the run is still in progress and waits for the answer. */
  readonly alive: boolean;
  /** The sessions of the runs that called the run, in no particular order. Missing if the log has none. */
  readonly callers?: readonly string[];
}

/**
 * - `delivered`: the run has taken the answer and continues with it.
 * - `pending`: the answer is stored, and the run has not taken it yet, because its process is busy or has just died.
 * - `stored`: the run has ended; the next run of its session uses the answer.
 * - `run-ended`: the run has ended and is not continued, because it belongs to no session or another run called it. No
 *   call follows.
 *
 * With the other outcomes, nothing changes: the question is `unknown` or already `settled`, or the answer is for another input
 * (`input-changed`).
 */
export type AnswerOutcome = "delivered" | "pending" | "stored" | "run-ended" | "unknown" | "settled" | "input-changed";

export interface StoredAnswerResult extends AnswerResult {
  readonly outcome: AnswerOutcome;
}

/** Waits for the answer to a question. */
export interface AnswerListener {
  /** Called once, when the question has a stored answer. */
  onAnswer(): void;
  /** Called after each failed read of the log. The read is repeated. */
  onFailure?(error: unknown): void;
}

/** A question that was unanswered when its run ended, with the answer if one came later. */
export interface OrphanedApproval {
  readonly question: Question;
  readonly answer?: ApprovalAnswer;
}

/**
 * Questions and answers that several processes share through an event log.
 *
 * Contract: the first answer to a question counts, or the owner's `close` if that comes first. When the promise of a method resolves, its
 * effect is complete and survives a power cut.
 */
export interface ApprovalStore {
  /** Lists the questions without an answer, oldest first. */
  open(): Promise<readonly OpenApproval[]>;
  /**
   * Answers one question. `inputHash` must be the hash of the input that was shown. If the run is in progress, this resolves
   * when the run has taken the answer or has ended, or after a few seconds without either.
   *
   * @throws InvalidRequestError if the answer is malformed or contains a credential, which must not be stored.
   */
  answer(id: string, answer: ApprovalAnswer & { inputHash: string }): Promise<StoredAnswerResult>;
  /** Resolves with the stored answer to a question. */
  answerTo(id: string): Promise<ApprovalAnswer | undefined>;
  /**
   * Waits for the answer to a question, from this process or another. All waiting calls share the reads of the log.
   * Returns a function that stops waiting.
   */
  watch(id: string, listener: AnswerListener): () => void;
  /**
   * Closes a question to further answers. Resolves with the answer that came first, if any. Only the owner of the run calls this method.
   */
  close(id: string): Promise<ApprovalAnswer | undefined>;
  /**
   * Closes the open questions of a session after its runs have ended, and those of the runs that they called. Only the owner of the
   * session's next run calls this method.
   */
  takeOver(sessionId: string): Promise<readonly OrphanedApproval[]>;
}
