import {
  type Backend,
  BackendCrashError,
  buildTranscript,
  type Conversation,
  type ConversationSpec,
  type EventLog,
  getErrorMessage,
  type HistoryMessage,
  isBridleError,
  type JsonValue,
  type Logger,
  type Message,
  omitUndefined,
  override,
  preview,
  type ToolDeclaration,
  type TurnContext,
  type TurnEnd,
  textMessage,
  transcriptToHistory,
} from "@bridle/protocol";
import type { JournalWriter } from "../event-log/journal.ts";
import type { StepCounter } from "../event-log/step-counter.ts";
import type { Permit } from "../limits/permit.ts";
import type { RunClock } from "../time/run-clock.ts";
import { failedEnding, type RunEnding } from "./ending.ts";
import { describeModelInput, historyBefore } from "./model-input.ts";
import type { RunSpending } from "./nesting/run-spending.ts";
import type { RequestWatch } from "./request-watch.ts";
import type { HistoryReplacement, RunPlan } from "./run-plan.ts";

interface TurnLoopOptions {
  backend: Backend;
  journal: JournalWriter;
  eventLog: Pick<EventLog, "read">;
  steps: StepCounter;
  spending: RunSpending;
  requests: RequestWatch;
  permit: Pick<Permit, "enter" | "inside">;
  clock: RunClock;
  logger: Logger;
  context: TurnContext;
  runId: string;
}

const continuation =
  "This conversation became too long for the model, so parts of it were left out. Continue the task from here.";

/**
 * Takes the turns of one run on its host: the first message, retries of an invalid object, and compaction of a history that is too long.
 */
export class TurnLoop {
  readonly #plan: RunPlan;
  readonly #options: TurnLoopOptions;
  readonly #context: TurnContext;
  /** Tools that an earlier reply added for the model. */
  readonly #addedTools: ToolDeclaration[] = [];
  #opening: Promise<Conversation> | undefined;

  constructor(plan: RunPlan, options: TurnLoopOptions) {
    this.#plan = plan;
    this.#options = options;
    const { context } = options;
    this.#context = override(context, {
      callTool: async (call) => {
        const reply = await context.callTool(call);
        if (reply.addedTool) this.#addedTools.push(reply.addedTool);
        return reply;
      },
    });
  }

  /**
   * Waits for a free slot of the account, then takes turns until the plan is done. The run's time limit starts with the first turn. Never
   * rejects: every failure is an ending.
   */
  run(): Promise<RunEnding> {
    return this.#takeTurns().catch(failedEnding);
  }

  /** Closes the conversation, even one that is still being opened. Never rejects. */
  async release(): Promise<void> {
    const { logger, runId } = this.#options;
    try {
      await (await this.#opening)?.close();
    } catch (error) {
      logger.debug({ runId, error }, "closing a conversation failed");
    }
  }

  async #takeTurns(): Promise<RunEnding> {
    const { permit, clock, journal, steps } = this.#options;
    const { session, follow } = this.#plan;
    await permit.enter();
    this.#context.signal.throwIfAborted();
    clock.go();
    if (session?.replacement) journal.append({ type: "history.replaced", ...session.replacement });
    const current = await this.#compactIfNeeded();
    if (this.#options.spending.hasSpent()) return { stopReason: "budget" }; // by a summary
    let message = this.#plan.input;
    let answers: readonly Message[] = [];
    for (let turn = 1; ; turn++) {
      const end =
        turn === 1
          ? await this.#takeFirstTurn(message, current)
          : await this.#takeTurn(turn, message, current, answers);
      if (end.reason === "budget") return { stopReason: "budget" };
      const next = await follow(end, steps.text);
      if (next.done) return { stopReason: "natural", object: next.object };
      if (this.#isBudgetSpent()) return { stopReason: "budget" };
      message = textMessage(next.ask);
      answers = next.object === undefined ? [] : [answerMessage(next.object)];
    }
  }

  /** Whether a budget is spent, so that nothing more is requested. */
  #isBudgetSpent(): boolean {
    const { spending } = this.#options;
    return spending.left().steps <= 0 || spending.hasSpent();
  }

  /** Compacts a history that is about to fill the model's context window, before it is sent. */
  async #compactIfNeeded(): Promise<RunPlan> {
    const { contextUsage, history = [] } = this.#plan.session ?? {};
    if (!contextUsage) return this.#plan;
    try {
      const shorter = await this.#compact(history, "before");
      return shorter ? this.#continueFrom({ ...shorter, measured: contextUsage }, this.#plan) : this.#plan;
    } catch (error) {
      this.#context.signal.throwIfAborted();
      const message = `The history could not be compacted and is sent unchanged: ${getErrorMessage(error)}`;
      this.#options.journal.append({ type: "notice", level: "warning", code: "compaction-failed", message });
      return this.#plan; // it may still fit
    }
  }

  /** Compacts once if the request is too long: the history alone, or everything in the run so far as well. */
  async #takeFirstTurn(message: Message, current: RunPlan): Promise<TurnEnd> {
    try {
      return await this.#takeTurn(1, message, current);
    } catch (error) {
      if (!isOverflow(error)) throw error;
      const scope = this.#options.steps.steps === 0 ? "before" : "within";
      const history = scope === "before" ? historyBefore(current) : await this.#historyWithin(current);
      const shorter = await this.#compact(history, scope);
      if (!shorter) throw error;
      await this.release();
      this.#opening = undefined;
      this.#context.signal.throwIfAborted();
      const unanswered = scope === "before" ? [...current.earlier, message] : [];
      if (this.#options.spending.hasSpent()) return this.#endWith(shorter, unanswered);
      if (scope === "before") return this.#takeTurn(1, message, this.#continueFrom(shorter, current));
      const spec = this.#remainingSpec(current.spec);
      if (!spec) return this.#endWith(shorter, unanswered);
      return this.#takeTurn(
        1,
        textMessage(continuation),
        this.#continueFrom(shorter, { ...current, spec, earlier: [] }),
      );
    }
  }

  /** Ends a run whose budget is used up. The session keeps the summary, so that its next run does not pay for it again. */
  #endWith(shorter: HistoryReplacement, unanswered: readonly HistoryMessage[]): TurnEnd {
    const messages = [...shorter.messages, ...unanswered];
    this.#options.journal.append({ type: "history.replaced", ...shorter, messages });
    return { reason: "budget" };
  }

  async #compact(history: readonly HistoryMessage[], scope: "before" | "within") {
    const { permit, spending, context } = this.#options;
    const asker = { spending, signal: context.signal };
    return permit.inside(async () => this.#plan.compact?.(history, scope, asker));
  }

  #continueFrom(shorter: HistoryReplacement, current: RunPlan): RunPlan {
    const { journal, spending } = this.#options;
    journal.append({ type: "history.replaced", ...shorter });
    const { maxCostUsd } = current.spec;
    const budget = maxCostUsd === undefined ? {} : { maxCostUsd: Math.min(maxCostUsd, spending.left().usd) };
    return { ...current, spec: { ...current.spec, ...budget, history: [...shorter.messages, ...current.earlier] } };
  }

  /** Returns the run's initial history and everything that the run has logged, including calls and results. */
  async #historyWithin(current: RunPlan): Promise<readonly HistoryMessage[]> {
    const { eventLog, runId } = this.#options;
    const { entries, ...state } = buildTranscript(await eventLog.read({ runId }));
    const before = { kind: "history", reason: "compacted", messages: historyBefore(current) } as const;
    return transcriptToHistory({ ...state, entries: [before, ...entries] });
  }

  /** Returns the specification with the rest of the budgets. Undefined if nothing remains. */
  #remainingSpec({ maxCostUsd, ...spec }: ConversationSpec): ConversationSpec | undefined {
    const { steps } = this.#options;
    const left = this.#options.spending.left();
    const stepBudget = Math.min(spec.stepBudget - steps.steps, left.steps);
    const usd = maxCostUsd === undefined ? undefined : left.usd;
    if (stepBudget <= 0 || (usd !== undefined && usd <= 0)) return undefined;
    const added = this.#addedTools.filter(({ name }) => spec.tools.every((tool) => tool.name !== name));
    return { ...spec, tools: [...spec.tools, ...added], stepBudget, ...omitUndefined({ maxCostUsd: usd }) };
  }

  /** Takes one turn. `answers` are the previous turn's answers that are in no event. */
  async #takeTurn(
    turn: number,
    message: Message,
    current: RunPlan,
    answers: readonly Message[] = [],
  ): Promise<TurnEnd> {
    const { backend, journal, requests, spending } = this.#options;
    const { signal } = this.#context;
    signal.throwIfAborted(); // the run ended while the host was busy: send nothing more
    this.#opening ??= backend.open(current.spec, signal);
    const conversation = await this.#opening;
    signal.throwIfAborted();
    journal.append(describeModelInput({ turn, message, answers }, current, conversation, journal));
    requests.send();
    if (!spending.fits()) {
      requests.receive(); // other runs have used up the rest, so nothing is sent
      return { reason: "budget" };
    }
    try {
      return checkEnd(await conversation.turn(message, this.#context));
    } finally {
      requests.receive();
    }
  }
}

/** Returns the message whose text is the object's JSON. */
function answerMessage(object: JsonValue): Message {
  return { role: "assistant", content: [{ type: "text", text: JSON.stringify(object) }] };
}

function checkEnd(end: TurnEnd): TurnEnd {
  if (end?.reason === "natural" || end?.reason === "budget") return end;
  throw new BackendCrashError(`The backend ended a turn with ${preview(end)}, which is not a valid end of a turn.`);
}

function isOverflow(error: unknown): boolean {
  return isBridleError(error) && error.code === "context_overflow";
}
