import {
  type Approval,
  type ApprovalAnswer,
  type Approver,
  approvalAnswerSchema,
  canonicalJson,
  getErrorMessage,
  type Logger,
  omitUndefined,
  toJson,
} from "@bridle/protocol";
import { sha256 } from "../system/hash.ts";
import { startTimer } from "../time/timer.ts";
import { createInputMatcher } from "./input-matcher.ts";
import type { AnswerSource } from "./join-approvals.ts";

export interface QuestionOptions {
  approver: Approver | undefined;
  /** Answers from other processes; the first answer counts, wherever it comes from. */
  approvals?: AnswerSource | undefined;
  logger: Logger;
  /** After this many milliseconds a question without an answer is a denial. */
  approvalTimeoutMs: number;
  /** Aborted when the call is over: at the end of its run at the latest. */
  ended: AbortSignal;
  now(): number;
}

/** The outcome of a question; `rule` names the rule that answered instead of the user. */
export interface SettledQuestion {
  answer: ApprovalAnswer;
  source: "answer" | "remembered" | "timeout" | "failed" | "run-ended";
  rule?: string | undefined;
}

/** A question to the user. The first of three events ends it: an answer, the time limit, or the end of its call. */
export class ApprovalQuestion {
  /** Never rejects. */
  readonly settled: Promise<SettledQuestion>;
  /** Called when an answer to another question is remembered. */
  reconsider?: () => Promise<void>;

  readonly #approval: Approval;
  readonly #options: QuestionOptions;
  readonly #outcome = Promise.withResolvers<SettledQuestion>();
  readonly #needed = new AbortController();
  readonly #cancelTimeout: () => void;
  #isSettled = false;
  #hasWarned = false;
  #stopWatching: (() => void) | undefined;

  constructor(approval: Approval, options: QuestionOptions) {
    const { approvalTimeoutMs, ended } = options;
    this.#approval = approval;
    this.#options = options;
    this.settled = this.#outcome.promise;
    this.#cancelTimeout = startTimer(approvalTimeoutMs, () =>
      this.settle(lost("timeout", `Nobody answered within ${approvalTimeoutMs / 1000} s.`)),
    );
    ended.addEventListener("abort", this.#onEnd, { once: true });
    if (ended.aborted) this.#onEnd();
    else this.#start();
  }

  /** Settles the question with its first outcome. A stored answer counts as earlier than `settled`. */
  settle(settled: SettledQuestion): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    this.#cancelTimeout();
    this.#stopWatching?.();
    if (settled.source === "run-ended" || this.#options.approvals === undefined) this.#finish(settled, undefined);
    else void this.#closeStore().then((first) => this.#finish(settled, first));
  }

  #finish(settled: SettledQuestion, first: SettledQuestion | undefined): void {
    this.#options.ended.removeEventListener("abort", this.#onEnd);
    this.#outcome.resolve(first ?? settled);
    this.#needed.abort(new Error(first ? `Answered elsewhere: ${summarizeAnswer(first.answer)}` : notNeeded));
  }

  #onEnd = () => this.settle(lost("run-ended", "The run ended."));

  #start(): void {
    void this.#askApprover();
    if (this.#isSettled) return;
    this.#stopWatching = this.#options.approvals?.watch(this.#approval.id, {
      onAnswer: () => this.settle(lost("failed", notNeeded)), // replaced by the stored answer
      onFailure: (error) => this.#warnOnce(error),
    });
  }

  async #askApprover(): Promise<void> {
    const { approver } = this.#options;
    try {
      const answer = await approver?.(structuredClone(this.#approval), this.#needed.signal);
      this.settle(checkAnswer(answer, this.#approval));
    } catch (error) {
      this.settle(lost("failed", `The answer was lost: ${getErrorMessage(error)}`));
    }
  }

  /** Closes the question in the store, so that no later answer is accepted. Returns the answer that came first, if any. */
  async #closeStore(): Promise<SettledQuestion | undefined> {
    try {
      const answer = await this.#options.approvals?.close(this.#approval.id);
      return answer && checkAnswer(answer, this.#approval);
    } catch (error) {
      return lost("failed", `The answer was lost: ${getErrorMessage(error)}`);
    }
  }

  #warnOnce(error: unknown): void {
    const { logger } = this.#options;
    if (!this.#hasWarned) logger.warn({ approval: this.#approval.id, error }, "the approval store could not be read");
    this.#hasWarned = true;
  }
}

/** Converts the outcome of a question to the event log's form. */
export function toDecision({ everyTime }: Pick<Approval, "everyTime">, { answer, source, rule }: SettledQuestion) {
  const { decision, when, by, message, input } = answer;
  const scope = everyTime && decision === "allow" ? "once" : (answer.scope ?? "once");
  return {
    decision,
    source,
    scope,
    ...omitUndefined({ by, message, input, when, rule }),
    ...(input !== undefined && { inputHash: sha256(canonicalJson(input)) }),
  };
}

const notNeeded = "The answer is not needed any more.";

function summarizeAnswer({ decision, by }: ApprovalAnswer): string {
  return by === undefined ? decision : `${decision}, by ${by}`;
}

function lost(source: "timeout" | "failed" | "run-ended", message: string): SettledQuestion {
  return { answer: { decision: "deny", message }, source };
}

/** Checks an answer, which may be any value. A malformed answer, or an answer about another input, is a denial. */
export function checkAnswer(given: unknown, { inputHash }: Approval): SettledQuestion {
  const parsed = approvalAnswerSchema.safeParse(given);
  if (!parsed.success) return lost("failed", "The answer was not valid.");
  const answer = parsed.data;
  if (answer.inputHash !== undefined && answer.inputHash !== inputHash) {
    return lost("failed", "The answer was for another input.");
  }
  createInputMatcher(answer.when); // throws for a pattern that would fail for every later call
  const edited = answer.input === undefined ? {} : { input: toJson(answer.input) }; // throws if it is not JSON
  return { answer: { ...answer, ...edited }, source: "answer" };
}
