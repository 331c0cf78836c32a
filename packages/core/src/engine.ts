/**
 * The run engine: one run from its request to its single end, the same on every backend.
 *
 * All causes of an end meet in `decide`; the first one counts, and what comes after it is dropped.
 */
import type { Backend, Conversation, ConversationSpec, InputSurroundings, TurnEnd } from "./backend.ts";
import { type Ending, failed, stopped, timedOut } from "./ending.ts";
import { BackendCrashError } from "./errors.ts";
import { type EventDraft, type EventOf, eventDefinitions, type Operation, type RunResult } from "./events.ts";
import { createGate, type Gate } from "./gate.ts";
import { newRunId } from "./ids.ts";
import { createJournal, type Journal, type JournalServices } from "./journal.ts";
import { canonicalJson, sha256 } from "./json.ts";
import type { Policy } from "./policy.ts";
import { type Message, textMessage } from "./prompt.ts";
import { preview, reasonOf } from "./reason-of.ts";
import type { AgentRun } from "./request.ts";
import { createStepCounter, type StepCounter } from "./step-counter.ts";
import { startTimer } from "./timer.ts";
import type { Toolbox } from "./toolbox.ts";
import { createTurnHost } from "./turn-host.ts";
import { totalTokens, type Usage } from "./usage.ts";

/** What a runtime shares among its runs. */
export interface EngineServices extends JournalServices {
  backend: Backend;
  policy: Policy;
}

/** One run, checked and resolved: nothing in it can be wrong any more. */
export interface RunPlan {
  operation: Operation;
  spec: ConversationSpec;
  toolbox: Toolbox;
  input: Message;
  role?: string;
  labels?: Record<string, string>;
  signal?: AbortSignal;
  timeoutMs?: number;
  maxTotalTokens?: number;
  onStep?(step: EventOf<"step.finished">): unknown;
  /** What follows a turn that ended naturally: the end, with an object or none, or another message to the model. */
  follow(end: TurnEnd, text: string): Promise<FollowUp>;
}

export type FollowUp = { done: true; object?: unknown } | { done: false; ask: string };

/** A run, and the moment when nothing of it is left open on the host. */
export interface StartedRun extends AgentRun {
  readonly released: Promise<void>;
}

export function startRun(plan: RunPlan, services: EngineServices): StartedRun {
  const { backend, policy, logger, now } = services;
  const { spec, signal, timeoutMs, toolbox } = plan;
  const id = newRunId(now());
  const startedAt = now();
  const journal = createJournal(id, services);
  const steps = createStepCounter(spec.stepBudget);
  const abort = new AbortController();
  const decided = Promise.withResolvers<Ending>();
  const gate = createGate({
    toolbox,
    builtins: spec.builtins,
    policy,
    journal,
    runId: id,
    projectDir: spec.projectDir,
    logger,
    now,
  });
  let over = false;

  /** The first cause counts. From then on no tool starts, and nothing that the backend tells is heard. */
  function decide(ending: Ending): void {
    if (over) return;
    over = true;
    gate.close(`The run ended before the call did (${ending.stopReason}).`);
    abort.abort();
    decided.resolve(ending);
  }

  const host = createTurnHost({
    ...plan,
    journal,
    gate,
    steps,
    logger,
    signal: abort.signal,
    stepBudget: spec.stepBudget,
    ...(spec.maxCostUsd === undefined ? {} : { maxCostUsd: spec.maxCostUsd }),
    end: decide,
  });
  let opening: Promise<Conversation> | undefined;

  /** Turns until the plan is done. Every rejection becomes an ending. */
  async function converse(): Promise<Ending> {
    try {
      opening = backend.open(spec, abort.signal);
      const conversation = await opening;
      let message = plan.input;
      for (let turn = 1; ; turn++) {
        abort.signal.throwIfAborted(); // the run ended while the host was busy: send nothing more
        journal.append(describeInput(turn, message, plan, conversation, journal));
        const end = checkEnd(await conversation.turn(message, host));
        if (end.reason === "budget") return { stopReason: "budget" };
        const next = await plan.follow(end, steps.text);
        if (next.done) return { stopReason: "natural", object: next.object };
        message = textMessage(next.ask);
      }
    } catch (error) {
      return failed(error);
    }
  }

  const stop = (reason?: string) => decide(stopped(reason));
  const onAbort = () => stop(reasonOf(signal?.reason));

  async function untilEnd(): Promise<RunResult> {
    const callOff = timeoutMs === undefined ? undefined : startTimer(timeoutMs, () => decide(timedOut(timeoutMs)));
    signal?.addEventListener("abort", onAbort, { once: true });
    try {
      journal.append(describeStart(plan, services));
      if (signal?.aborted) onAbort();
      else void converse().then(decide); // ended by itself, or the backend failed
    } catch (error) {
      decide(failed(error));
    }
    try {
      return finish(await decided.promise); // or: stopped, out of time, a budget spent, the record failed
    } finally {
      callOff?.();
      signal?.removeEventListener("abort", onAbort);
    }
  }

  function finish(ending: Ending): RunResult {
    if ("error" in ending && ending.error.runId === undefined) Reflect.set(ending.error, "runId", id); // may be frozen
    if (totalTokens(steps.unreported) > 0) reportRest(steps.unreported);
    const result = describeResult(ending, steps, gate);
    journal.end({ type: "run.finished", result, durationMs: now() - startedAt });
    return result;
  }

  /** Tokens that the host had no time to report. */
  function reportRest(usage: Usage): void {
    steps.addReported(usage, undefined);
    try {
      journal.append({ type: "usage.reported", usage });
    } catch (error) {
      logger.error({ runId: id, error }, "the usage of a run could not be put on record");
    }
  }

  async function release(): Promise<void> {
    try {
      await (await opening)?.close();
    } catch (error) {
      logger.debug({ runId: id, error }, "closing a conversation failed");
    }
  }

  const result = untilEnd();
  return {
    id,
    result,
    released: result.then(release),
    stop,
    [Symbol.asyncIterator]: () => journal.events[Symbol.asyncIterator](),
  };
}

function describeStart({ operation, spec, role, labels }: RunPlan, { backend, policy }: EngineServices): EventDraft {
  return {
    type: "run.started",
    operation,
    backend: backend.id,
    model: spec.model,
    ...(role === undefined ? {} : { role }),
    ...(labels === undefined ? {} : { labels }),
    tools: spec.tools.map(({ name }) => name),
    builtins: spec.builtins,
    stepBudget: spec.stepBudget,
    policy: policy.id,
  };
}

function describeInput(
  turn: number,
  message: Message,
  { spec }: RunPlan,
  { surroundings }: Conversation,
  journal: Journal,
): EventDraft {
  const { system, tools, builtins, outputSchema, model, history } = spec;
  const messages = turn === 1 ? [...history, message] : [message];
  const input = canonicalJson({ model, system, tools, builtins, outputSchema, messages });
  return {
    type: "model.input",
    turn,
    sha256: sha256(input),
    artifact: journal.putArtifact(input),
    messages,
    ...checkSurroundings(surroundings),
  };
}

function describeResult(ending: Ending, steps: StepCounter, gate: Gate): RunResult {
  const { cost, model } = steps;
  return {
    stopReason: ending.stopReason,
    text: steps.text,
    ...("object" in ending && ending.object !== undefined ? { object: ending.object } : {}),
    steps: steps.steps,
    toolCalls: gate.calls,
    toolFailures: gate.failures,
    usage: steps.usage,
    ...(cost === undefined ? {} : { cost }),
    ...(model === undefined ? {} : { model }),
    ...("error" in ending ? { error: ending.error } : {}),
  };
}

const surroundingsSchema = eventDefinitions["model.input"].pick({ implicitSources: true, hostAdds: true });

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
