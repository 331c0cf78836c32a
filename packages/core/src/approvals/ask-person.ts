import {
  type Approval,
  type ApprovalAnswer,
  type ApprovalStore,
  type Approver,
  approvalAnswerSchema,
  canonicalJson,
  type Logger,
  reasonOf,
  toJson,
} from "@bridle/protocol";
import { createInputTest } from "../policy/input-pattern.ts";
import { sha256 } from "../system/hash.ts";
import { startTimer } from "../time/timer.ts";

export interface QuestionOptions {
  approver: Approver | undefined;
  /** Where an answer may come from elsewhere. The first counts, wherever it comes from. */
  inbox?: ApprovalStore | undefined;
  logger: Logger;
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

/** How often the inbox is looked at, in milliseconds. */
const pollMs = 200;

/** Asks, and waits for the answer, for the time to be up, or for the end of the run, whichever is first. */
export function createAskedQuestion(approval: Approval, options: QuestionOptions): Question {
  const { approver, inbox, approvalTimeoutMs, ended, holdClock, logger } = options;
  const outcome = Promise.withResolvers<SettledQuestion>();
  const needed = new AbortController();
  const release = holdClock();
  const onEnd = () => settle(lost("run-ended", "The run ended."));
  const callOff = startTimer(approvalTimeoutMs, () =>
    settle(lost("timeout", `Nobody answered within ${seconds(approvalTimeoutMs)}.`)),
  );
  ended.addEventListener("abort", onEnd, { once: true });

  let isSettled = false;
  let isBlind = false;
  let poll: NodeJS.Timeout | undefined;
  function settle(settled: SettledQuestion): void {
    if (isSettled) return;
    isSettled = true;
    const first = settled.source === "run-ended" ? undefined : firstElsewhere();
    callOff();
    clearTimeout(poll);
    ended.removeEventListener("abort", onEnd);
    release();
    outcome.resolve(first ?? settled);
    needed.abort(new Error(first ? `Answered elsewhere: ${saysShortly(first.answer)}` : notNeeded));
  }

  /** Nobody else is first any more; whoever was, is. */
  function firstElsewhere(): SettledQuestion | undefined {
    try {
      const answer = inbox?.close(approval.id);
      return answer && checkAnswer(answer, approval);
    } catch (error) {
      return lost("failed", `The answer was lost: ${reasonOf(error)}`);
    }
  }

  function look(): void {
    if (hasAnswer())
      settle(lost("failed", notNeeded)); // gives way to the answer that was first
    else poll = setTimeout(look, pollMs);
  }

  /** A look that fails is taken again. */
  function hasAnswer(): boolean {
    try {
      return inbox?.answerTo(approval.id) !== undefined;
    } catch (error) {
      if (!isBlind) logger.warn({ approval: approval.id, error }, "the inbox of answers could not be read");
      isBlind = true;
      return false;
    }
  }

  async function ask(): Promise<void> {
    try {
      settle(checkAnswer(await approver?.(structuredClone(approval), needed.signal), approval));
    } catch (error) {
      settle(lost("failed", `The answer was lost: ${reasonOf(error)}`));
    }
  }

  if (ended.aborted) onEnd();
  else {
    void ask();
    if (inbox && !isSettled) poll = setTimeout(look, pollMs);
  }
  return { settled: outcome.promise, settle };
}

/** How a question ended, as it goes on record. */
export function decisionOf({ everyTime }: Pick<Approval, "everyTime">, { answer, source, rule }: SettledQuestion) {
  const { decision, when, by, message, input } = answer;
  const scope = everyTime && decision === "allow" ? "once" : (answer.scope ?? "once");
  return {
    ...{ decision, source, scope },
    ...(by !== undefined && { by }),
    ...(message !== undefined && { message }),
    ...(input !== undefined && { input, inputHash: sha256(canonicalJson(input)) }),
    ...(when !== undefined && { when }),
    ...(rule !== undefined && { rule }),
  };
}

const notNeeded = "The answer is not needed any more.";

function saysShortly({ decision, by }: ApprovalAnswer): string {
  return by === undefined ? decision : `${decision}, by ${by}`;
}

function lost(source: "timeout" | "failed" | "run-ended", message: string): SettledQuestion {
  return { answer: { decision: "deny", message }, source };
}

/** Whoever answers may send anything: what has no meaning, or is about another input, denies. */
export function checkAnswer(given: unknown, { inputHash }: Approval): SettledQuestion {
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
