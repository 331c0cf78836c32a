import { type Approval, type ApprovalAnswer, type Approver, approvalAnswerSchema } from "./approvals.ts";
import { createInputTest } from "./input-pattern.ts";
import { toJson } from "./json.ts";
import { reasonOf } from "./reason-of.ts";
import { startTimer } from "./timer.ts";

export interface QuestionOptions {
  approver: Approver | undefined;
  /** After this many milliseconds a question without an answer is a denial. */
  approvalTimeoutMs: number;
  /** Aborted when the run ends. */
  ended: AbortSignal;
  /** The run's time does not count until what it returns is called. */
  holdClock(): () => void;
  now(): number;
}

/** How a question ended; `rule` is what answered instead of a person. */
export interface SettledQuestion {
  answer: ApprovalAnswer;
  source: "answer" | "remembered" | "timeout" | "failed" | "run-ended";
  rule?: string;
}

export interface Question {
  /** Never rejects. */
  readonly settled: Promise<SettledQuestion>;
  /** The first counts; all others change nothing. */
  settle(outcome: SettledQuestion): void;
  /** To be called when an answer to another question is remembered. */
  reconsider?: () => Promise<void>;
}

const seconds = (ms: number) => `${ms / 1000} s`;

/** Asks, and waits for the answer, for the time to be up, or for the end of the run, whichever is first. */
export function createAskedQuestion(approval: Approval, options: QuestionOptions): Question {
  const { approver, approvalTimeoutMs, ended, holdClock } = options;
  const outcome = Promise.withResolvers<SettledQuestion>();
  const needed = new AbortController();
  const release = holdClock();
  const onEnd = () => settle(lost("run-ended", "The run ended."));
  const callOff = startTimer(approvalTimeoutMs, () =>
    settle(lost("timeout", `Nobody answered within ${seconds(approvalTimeoutMs)}.`)),
  );
  ended.addEventListener("abort", onEnd, { once: true });

  let isSettled = false;
  function settle(settled: SettledQuestion): void {
    if (isSettled) return;
    isSettled = true;
    callOff();
    ended.removeEventListener("abort", onEnd);
    release();
    outcome.resolve(settled);
    needed.abort(new Error("The answer is not needed any more."));
  }

  async function ask(): Promise<void> {
    try {
      settle(checkAnswer(await approver?.(structuredClone(approval), needed.signal), approval));
    } catch (error) {
      settle(lost("failed", `The answer was lost: ${reasonOf(error)}`));
    }
  }

  if (ended.aborted) onEnd();
  else void ask();
  return { settled: outcome.promise, settle };
}

function lost(source: "timeout" | "failed" | "run-ended", message: string): SettledQuestion {
  return { answer: { decision: "deny", message }, source };
}

/** Whoever answers may send anything: what has no meaning, or is about another input, denies. */
function checkAnswer(given: unknown, { inputHash }: Approval): SettledQuestion {
  const parsed = approvalAnswerSchema.safeParse(given);
  if (!parsed.success) return lost("failed", "The answer had no meaning.");
  const answer = parsed.data;
  if (answer.inputHash !== undefined && answer.inputHash !== inputHash) {
    return lost("failed", "The answer was about another input.");
  }
  createInputTest(answer.when); // throws for a pattern that would fail each call that it is asked about later
  const edited = answer.input === undefined ? {} : { input: toJson(answer.input) }; // throws for what is not JSON
  return { answer: { ...answer, ...edited }, source: "answer" };
}
