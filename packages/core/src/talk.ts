/** What a run says to its host, and hears at the end of each turn. */
import type { Backend, Conversation, InputSurroundings, TurnEnd, TurnHost } from "./backend.ts";
import { type Ending, failed } from "./ending.ts";
import { BackendCrashError, isBridleError } from "./errors.ts";
import { type EventDraft, eventDefinitions, resumptionSchema } from "./events.ts";
import type { Seat } from "./governor/seat.ts";
import { fingerprintOf } from "./history.ts";
import type { Journal } from "./journal.ts";
import { canonicalJson, sha256 } from "./json.ts";
import type { Logger } from "./logger.ts";
import { type Message, textMessage } from "./prompt.ts";
import { preview } from "./reason-of.ts";
import type { RunClock } from "./run-clock.ts";
import type { HistoryReplacement, RunPlan } from "./run-plan.ts";
import type { StepCounter } from "./step-counter.ts";

export interface Talk {
  /** Turns until the plan is done, once the account has room; the time of the run counts from then on. Never rejects: whatever goes wrong is an ending. */
  converse(): Promise<Ending>;
  /** Closes the conversation, also one that is still being opened. Never rejects. */
  release(): Promise<void>;
}

interface TalkParts {
  backend: Backend;
  journal: Journal;
  steps: StepCounter;
  seat: Pick<Seat, "enter" | "inside">;
  clock: RunClock;
  logger: Logger;
  host: TurnHost;
  runId: string;
}

export function createTalk(
  plan: RunPlan,
  { backend, journal, steps, seat, clock, logger, host, runId }: TalkParts,
): Talk {
  let opening: Promise<Conversation> | undefined;

  async function takeTurns(): Promise<Ending> {
    await seat.enter();
    host.signal.throwIfAborted();
    clock.go();
    if (plan.session?.replacement) journal.append({ type: "history.replaced", ...plan.session.replacement });
    let message = plan.input;
    for (let turn = 1; ; turn++) {
      const end = turn === 1 ? await takeFirstTurn(message) : await takeTurn(turn, message, plan);
      if (end.reason === "budget") return { stopReason: "budget" };
      const next = await plan.follow(end, steps.text);
      if (next.done) return { stopReason: "natural", object: next.object };
      message = textMessage(next.ask);
    }
  }

  /** A history that does not fit is made shorter once, where it is a session's. */
  async function takeFirstTurn(message: Message): Promise<TurnEnd> {
    try {
      return await takeTurn(1, message, plan);
    } catch (error) {
      const shorter = isOverflow(error) && steps.steps === 0 ? await compact() : undefined;
      if (!shorter) throw error;
      await release();
      opening = undefined;
      host.signal.throwIfAborted();
      journal.append({ type: "history.replaced", ...shorter });
      const spec = { ...plan.spec, history: [...shorter.messages, ...plan.earlier] };
      return takeTurn(1, message, { ...plan, spec });
    }
  }

  async function compact(): Promise<HistoryReplacement | undefined> {
    return seat.inside(async () => plan.session?.compact());
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

function describeInput(
  turn: number,
  message: Message,
  { spec, earlier }: RunPlan,
  { surroundings }: Conversation,
  journal: Journal,
): EventDraft {
  const { system, tools, builtins, outputSchema, model, history } = spec;
  const { resumption, ...around } = checkSurroundings(surroundings);
  const isFirst = turn === 1;
  const before = history.slice(0, history.length - earlier.length);
  const messages = isFirst ? [...history, message] : [message];
  const input = canonicalJson({ model, system, tools, builtins, outputSchema, messages });
  return {
    type: "model.input",
    turn,
    sha256: sha256(input),
    artifact: journal.putArtifact(input),
    messages: isFirst ? [...earlier, message] : [message],
    ...(isFirst && before.length > 0
      ? { history: { messages: before.length, fingerprint: fingerprintOf(before), ...resumption } }
      : {}),
    ...around,
  };
}

const surroundingsSchema = eventDefinitions["model.input"]
  .pick({ implicitSources: true, hostAdds: true })
  .extend({ resumption: resumptionSchema.optional() });

/** A backend may be anyone's: what goes on record, and how it says that a turn ended, is checked. */
function checkSurroundings(surroundings: unknown): InputSurroundings {
  const parsed = surroundingsSchema.safeParse(surroundings);
  if (parsed.success) return parsed.data;
  throw new BackendCrashError(`The backend gave ${preview(surroundings)} as the surroundings of a conversation.`);
}

function checkEnd(end: TurnEnd): TurnEnd {
  if (end?.reason === "natural" || end?.reason === "budget") return end;
  throw new BackendCrashError(`The backend ended a turn with ${preview(end)}, which has no meaning here.`);
}

function isOverflow(error: unknown): boolean {
  return isBridleError(error) && error.code === "context_overflow";
}
