/** What a run says to its host, and hears at the end of each turn. */
import {
  type Backend,
  BackendCrashError,
  type Conversation,
  type ConversationSpec,
  type EventLog,
  emptyTranscript,
  type HistoryMessage,
  historyFrom,
  isBridleError,
  type Logger,
  type Message,
  preview,
  reasonOf,
  reduceTranscript,
  type ToolDeclaration,
  type TurnContext,
  type TurnEnd,
  textMessage,
} from "@bridle/protocol";
import type { Journal } from "../event-log/journal.ts";
import type { StepCounter } from "../event-log/step-counter.ts";
import type { Permit } from "../limits/permit.ts";
import type { RunClock } from "../time/run-clock.ts";
import { type Ending, failed } from "./ending.ts";
import { describeInput, historyBefore } from "./model-input.ts";
import type { HistoryReplacement, RunPlan } from "./run-plan.ts";

export interface Talk {
  /** Turns until the plan is done, once the account has room; the time of the run counts from then on. Never rejects: whatever goes wrong is an ending. */
  converse(): Promise<Ending>;
  /** Closes the conversation, also one that is still being opened. Never rejects. */
  release(): Promise<void>;
}

interface TalkParts {
  backend: Backend;
  journal: Journal;
  record: Pick<EventLog, "events">;
  steps: StepCounter;
  permit: Pick<Permit, "enter" | "inside">;
  clock: RunClock;
  logger: Logger;
  host: TurnContext;
  runId: string;
}

const goOn =
  "This conversation had grown too long for you, so that parts of it were left out. Go on with the task from here.";

export function createTalk(
  plan: RunPlan,
  { backend, journal, record, steps, permit, clock, logger, host: told, runId }: TalkParts,
): Talk {
  let opening: Promise<Conversation> | undefined;
  /** Tools that the model may call since a call before. */
  const offered: ToolDeclaration[] = [];
  const host: TurnContext = {
    ...told,
    async callTool(call) {
      const reply = await told.callTool(call);
      if (reply.offer) offered.push(reply.offer);
      return reply;
    },
  };

  async function takeTurns(): Promise<Ending> {
    await permit.enter();
    host.signal.throwIfAborted();
    clock.go();
    if (plan.session?.replacement) journal.append({ type: "history.replaced", ...plan.session.replacement });
    const begun = await withRoom();
    let message = plan.input;
    for (let turn = 1; ; turn++) {
      const end = turn === 1 ? await takeFirstTurn(message, begun) : await takeTurn(turn, message, begun);
      if (end.reason === "budget") return { stopReason: "budget" };
      const next = await plan.follow(end, steps.text);
      if (next.done) return { stopReason: "natural", object: next.object };
      message = textMessage(next.ask);
    }
  }

  /** A history that is about to fill the model's window is made shorter before it is sent. */
  async function withRoom(): Promise<RunPlan> {
    const { crowding, history = [] } = plan.session ?? {};
    if (!crowding) return plan;
    try {
      const shorter = await condense(history, "before");
      return shorter ? goOnFrom({ ...shorter, measured: crowding }, plan) : plan;
    } catch (error) {
      host.signal.throwIfAborted();
      const message = `The history could not be made shorter, and is sent as it is: ${reasonOf(error)}`;
      journal.append({ type: "notice", level: "warning", code: "compaction-failed", message });
      return plan; // it may fit all the same
    }
  }

  /** What does not fit is made shorter once: the history, or all that was said and done in the run, too. */
  async function takeFirstTurn(message: Message, current: RunPlan): Promise<TurnEnd> {
    try {
      return await takeTurn(1, message, current);
    } catch (error) {
      if (!isOverflow(error)) throw error;
      const place = steps.steps === 0 ? "before" : "within";
      const shorter = await condense(place === "before" ? historyBefore(current) : historyWithin(current), place);
      if (!shorter) throw error;
      await release();
      opening = undefined;
      host.signal.throwIfAborted();
      if (place === "before") return takeTurn(1, message, goOnFrom(shorter, current));
      const spec = specOfRest(current.spec);
      if (!spec) return { reason: "budget" };
      return takeTurn(1, textMessage(goOn), goOnFrom(shorter, { ...current, spec, earlier: [] }));
    }
  }

  async function condense(whole: readonly HistoryMessage[], place: "before" | "within") {
    return permit.inside(async () => plan.condense?.(whole, place));
  }

  function goOnFrom(shorter: HistoryReplacement, current: RunPlan): RunPlan {
    journal.append({ type: "history.replaced", ...shorter });
    return { ...current, spec: { ...current.spec, history: [...shorter.messages, ...current.earlier] } };
  }

  /** What the run began with and all that is on record of it, its calls and their results included. */
  function historyWithin(current: RunPlan): readonly HistoryMessage[] {
    const before = { kind: "history", reason: "compacted", messages: historyBefore(current) } as const;
    return historyFrom(record.events({ runId }).reduce(reduceTranscript, { ...emptyTranscript, entries: [before] }));
  }

  /** Undefined where nothing is left to spend. */
  function specOfRest({ maxCostUsd, ...spec }: ConversationSpec): ConversationSpec | undefined {
    const stepBudget = spec.stepBudget - steps.steps;
    const usd = maxCostUsd === undefined ? undefined : maxCostUsd - (steps.cost?.usd ?? 0);
    if (stepBudget <= 0 || (usd !== undefined && usd <= 0)) return undefined;
    const tools = [...spec.tools, ...offered.filter(({ name }) => spec.tools.every((tool) => tool.name !== name))];
    return { ...spec, tools, stepBudget, ...(usd === undefined ? {} : { maxCostUsd: usd }) };
  }

  async function takeTurn(turn: number, message: Message, current: RunPlan): Promise<TurnEnd> {
    host.signal.throwIfAborted(); // the run ended while the host was busy: send nothing more
    opening ??= backend.open(current.spec, host.signal);
    const conversation = await opening;
    host.signal.throwIfAborted();
    journal.append(describeInput(turn, message, current, conversation, journal));
    return checkEnd(await conversation.turn(message, host));
  }

  async function release(): Promise<void> {
    try {
      await (await opening)?.close();
    } catch (error) {
      logger.debug({ runId, error }, "closing a conversation failed");
    }
  }

  return {
    converse: () => takeTurns().catch(failed),
    release,
  };
}

function checkEnd(end: TurnEnd): TurnEnd {
  if (end?.reason === "natural" || end?.reason === "budget") return end;
  throw new BackendCrashError(`The backend ended a turn with ${preview(end)}, which has no meaning here.`);
}

function isOverflow(error: unknown): boolean {
  return isBridleError(error) && error.code === "context_overflow";
}
