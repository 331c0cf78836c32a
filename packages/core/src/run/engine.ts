/**
 * The run engine: one run from its request to its single end, the same on every backend.
 *
 * All causes of an end meet in `decide`; the first one counts, and what comes after it is dropped.
 */
import {
  type AgentRun,
  type Approver,
  type Backend,
  type EventDraft,
  getErrorMessage,
  omitUndefined,
  type PermissionStore,
  type Policy,
  type RunEvent,
  type RunResult,
  type RunScope,
} from "@bridle/protocol";
import { createMemoryPermissions, joinPermissions } from "../approvals/memory-permissions.ts";
import { createJournal, type Journal, type JournalServices } from "../event-log/journal.ts";
import { StepCounter } from "../event-log/step-counter.ts";
import type { AccountLimiter } from "../limits/account-limiter.ts";
import type { Permit } from "../limits/permit.ts";
import { composePolicies } from "../policy/compose-policies.ts";
import { newRunId } from "../system/ids.ts";
import { createRunClock, type RunClock } from "../time/run-clock.ts";
import { ToolExecutor } from "../tools/tool-executor.ts";
import { failedEnding, type RunEnding, stoppedEnding, timedOutEnding } from "./ending.ts";
import { filterTools } from "./filter-tools.ts";
import { RequestWatch } from "./request-watch.ts";
import { requestPermit } from "./run-permit.ts";
import type { RunPlan } from "./run-plan.ts";
import { RunTurnContext } from "./turn-context.ts";
import { TurnLoop } from "./turn-loop.ts";

/** What a runtime shares among its runs. */
export interface EngineServices extends JournalServices {
  backend: Backend;
  policy: Policy;
  /** Answers for a person; missing if nobody can be asked. */
  approver?: Approver | undefined;
  /** After this many milliseconds a question without an answer is a denial. */
  approvalTimeoutMs: number;
  /** Remembered answers that outlive a session. */
  permissions: PermissionStore;
  /** Of the account that pays. */
  limiter: AccountLimiter;
}

/** A run, and a promise that resolves when nothing of it is open on the host any more. */
export interface StartedRun extends AgentRun {
  readonly released: Promise<void>;
}

/** Throws a ConfigError if the policy does not fit the tools; every later failure is in the run's result. */
export function startRun(plan: RunPlan, shared: EngineServices): StartedRun {
  const policy = composePolicies(plan.policy, shared.policy);
  const services = { ...shared, policy };
  return new Run(filterTools(plan, policy, Object.keys(services.backend.features.builtins)), services);
}

/** One run, from its plan to its single end. All causes of an end meet in `#end`; the first one counts. */
class Run implements StartedRun {
  readonly id: string;
  readonly result: Promise<RunResult>;
  readonly released: Promise<void>;

  readonly #plan: RunPlan;
  readonly #services: EngineServices;
  readonly #startedAt: number;
  readonly #journal: Journal;
  readonly #steps: StepCounter;
  readonly #requests = new RequestWatch();
  readonly #tools: ToolExecutor;
  readonly #clock: RunClock;
  readonly #permit: Permit;
  readonly #loop: TurnLoop;
  readonly #abort = new AbortController();
  readonly #ending = Promise.withResolvers<RunEnding>();
  #hasEnded = false;

  constructor(plan: RunPlan, services: EngineServices) {
    const { backend, logger, limiter, now, eventLog } = services;
    const { spec } = plan;
    this.#plan = plan;
    this.#services = services;
    this.#startedAt = now();
    this.id = newRunId(now());
    this.#journal = createJournal(scopeOf(this.id, plan), services);
    this.#steps = new StepCounter(spec.stepBudget);
    this.#clock = createRunClock(plan.timeoutMs, (ms) => this.#end(timedOutEnding(ms)));
    this.#tools = this.#createTools();
    this.#permit = requestPermit(limiter, this.#journal, (error) => this.#end(failedEnding(error)));
    const counters = { steps: this.#steps, requests: this.#requests };
    const parts = { journal: this.#journal, ...counters, permit: this.#permit, clock: this.#clock, logger };
    const { stepBudget, maxCostUsd } = spec;
    const { maxTotalTokens, onStep } = plan;
    const context = new RunTurnContext({
      ...{ ...parts, tools: this.#tools, signal: this.#abort.signal, stepBudget, maxCostUsd, maxTotalTokens, onStep },
      end: (ending) => this.#end(ending),
    });
    this.#loop = new TurnLoop(plan, { ...parts, backend, eventLog, context, runId: this.id });
    this.result = this.#run();
    this.released = this.result.then(() => this.#loop.release());
  }

  stop = (reason?: string): void => this.#end(stoppedEnding(reason));

  [Symbol.asyncIterator](): AsyncIterator<RunEvent> {
    return this.#journal.events[Symbol.asyncIterator]();
  }

  #createTools(): ToolExecutor {
    const { spec, toolbox, session, permissions = createMemoryPermissions() } = this.#plan;
    const { backend, eventLog, permissions: lasting, ...services } = this.#services;
    const known = backend.features.builtins;
    const annotated = spec.builtins.map((name) => [name, known[name] ?? { destructive: true }] as const);
    return new ToolExecutor({
      ...services,
      ...{ toolbox, host: backend.id, builtins: Object.fromEntries(annotated), projectDir: spec.projectDir },
      ...{ journal: this.#journal, runId: this.id, approvals: eventLog.approvals },
      maxResultChars: backend.features.maxResultChars,
      earlierResults: session?.earlierResults,
      permissions: joinPermissions(permissions, lasting),
      holdClock: () => this.#clock.hold(),
      stop: (reason) => this.#end(stoppedEnding(`by the person who was asked: ${reason}`)),
    });
  }

  /** The first cause counts. From then on no tool starts, and events of the backend are ignored. */
  #end(ending: RunEnding): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    if (this.#requests.isOpen) this.#steps.addUnknownCost();
    this.#tools.close(
      `The run ended before the call did (${ending.stopReason}). It is not known whether the call had an effect.`,
    );
    this.#abort.abort();
    this.#clock.pause();
    this.#permit.leave("error" in ending ? ending.error : undefined);
    this.#ending.resolve(ending);
  }

  async #run(): Promise<RunResult> {
    const { signal } = this.#plan;
    const onAbort = () => this.stop(getErrorMessage(signal?.reason));
    signal?.addEventListener("abort", onAbort, { once: true });
    try {
      this.#logStart();
      if (signal?.aborted) onAbort();
      else void this.#loop.run().then((ending) => this.#end(ending)); // ended naturally, or the backend failed
    } catch (error) {
      this.#end(failedEnding(error));
    }
    try {
      return this.#finish(await this.#ending.promise); // or: stopped, timed out, a budget spent, the event log failed
    } finally {
      signal?.removeEventListener("abort", onAbort);
    }
  }

  #logStart(): void {
    const { notices, session } = this.#plan;
    this.#journal.append(describeStart(this.#plan, this.#services, this.#journal));
    for (const each of notices) this.#journal.append({ type: "notice", level: "warning", ...each });
    for (const draft of session?.late ?? []) this.#journal.append(draft, { durable: true });
  }

  #finish(ending: RunEnding): RunResult {
    if ("error" in ending && ending.error.runId === undefined) Reflect.set(ending.error, "runId", this.id); // may be frozen
    this.#reportUnreported();
    const result = describeResult(ending, this.#steps, this.#tools);
    this.#journal.end({ type: "run.finished", result, durationMs: this.#services.now() - this.#startedAt });
    return result;
  }

  /** Logs what the host had no time to report. */
  #reportUnreported(): void {
    const { unreported } = this.#steps;
    if (unreported === undefined) return;
    const { usage, cost } = unreported;
    try {
      this.#journal.append({ type: "usage.reported", usage, ...omitUndefined({ cost }) });
    } catch (error) {
      this.#services.logger.error({ runId: this.id, error }, "the usage of a run could not be logged");
    }
  }
}

function scopeOf(runId: string, { session }: RunPlan): RunScope {
  return { runId, ...(session && { sessionId: session.sessionId }) };
}

function describeStart(
  { operation, spec, role, labels }: RunPlan,
  { backend, policy }: EngineServices,
  journal: Journal,
): EventDraft {
  return {
    type: "run.started",
    operation,
    backend: backend.id,
    ...(backend.rehearsed && { rehearsed: true }),
    model: spec.model,
    ...omitUndefined({ role, labels }),
    tools: spec.tools.map(({ name }) => name),
    builtins: spec.builtins,
    stepBudget: spec.stepBudget,
    policy: policy.snapshot === undefined ? policy.id : journal.putArtifact(policy.snapshot),
  };
}

function describeResult(ending: RunEnding, steps: StepCounter, tools: ToolExecutor): RunResult {
  const { cost, model } = steps;
  const object = "object" in ending ? ending.object : undefined;
  const error = "error" in ending ? ending.error : undefined;
  return {
    stopReason: ending.stopReason,
    text: steps.text,
    steps: steps.steps,
    toolCalls: tools.calls,
    toolFailures: tools.failures,
    usage: steps.usage,
    ...omitUndefined({ object, cost, model, error }),
  };
}
