/**
 * The run engine: one run from its request to its single end, the same on every backend.
 *
 * All causes of an end meet in `decide`; the first one counts, and what comes after it is dropped.
 */
import {
  type AgentRun,
  type Approver,
  type Backend,
  omitUndefined,
  type PermissionStore,
  type Policy,
  type ResultWith,
  type RunEvent,
  type RunScope,
  type StoppedBy,
} from "@bridle/protocol";
import { createMemoryPermissions, joinPermissions } from "../approvals/memory-permissions.ts";
import { Journal, type JournalServices } from "../event-log/journal.ts";
import { StepCounter } from "../event-log/step-counter.ts";
import type { AccountLimiter } from "../limits/account-limiter.ts";
import type { Permit } from "../limits/permit.ts";
import { composePolicies } from "../policy/compose-policies.ts";
import { newRunId } from "../system/ids.ts";
import { createRunClock, type RunClock } from "../time/run-clock.ts";
import { ToolExecutor } from "../tools/tool-executor.ts";
import { describeEnd, describeRunStart, toolHost } from "./describe-run.ts";
import { abortedEnding, failedEnding, ProcessEnding, type RunEnding, stoppedEnding, timedOutEnding } from "./ending.ts";
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
export interface StartedRun<T = unknown> extends AgentRun<T> {
  /** Ends the run, and notes who asked for it. Default: the caller. */
  stop(reason?: string, by?: StoppedBy): void;
  /** Milliseconds from the start to the end; until then to now. */
  readonly durationMs: number;
  readonly released: Promise<void>;
}

/** Throws a ConfigError if the policy does not fit the tools; every later failure is in the run's result. */
export function startRun<T>(plan: RunPlan<T>, shared: EngineServices): StartedRun<T> {
  const policy = composePolicies(plan.policy, shared.policy);
  const services = { ...shared, policy };
  return new Run(filterTools(plan, policy, Object.keys(services.backend.features.builtins)), services);
}

/** One run, from its plan to its single end. All causes of an end meet in `#end`; the first one counts. */
class Run<T> implements StartedRun<T> {
  readonly id: string;
  readonly result: Promise<ResultWith<T>>;
  readonly released: Promise<void>;

  readonly #plan: RunPlan<T>;
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
  #endedAt: number | undefined;

  constructor(plan: RunPlan<T>, services: EngineServices) {
    const { backend, logger, limiter, now, eventLog } = services;
    const { spec } = plan;
    this.#plan = plan;
    this.#services = services;
    this.#startedAt = now();
    this.id = plan.runId ?? newRunId(now());
    this.#journal = new Journal(scopeOf(this.id, plan), observed(services, plan));
    this.#steps = new StepCounter(spec.stepBudget);
    this.#clock = createRunClock(plan.timeoutMs, (ms) => this.#end(timedOutEnding(ms)));
    this.#tools = this.#createTools();
    this.#permit = requestPermit(limiter, this.#journal, (error) => this.#end(failedEnding(error)));
    const counters = { steps: this.#steps, requests: this.#requests };
    const parts = { journal: this.#journal, ...counters, permit: this.#permit, clock: this.#clock, logger };
    const { stepBudget, maxCostUsd } = spec;
    const { maxTotalTokens, onStep, eventDetails } = plan;
    const context = new RunTurnContext({
      ...{
        ...parts,
        tools: this.#tools,
        signal: this.#abort.signal,
        stepBudget,
        maxCostUsd,
        maxTotalTokens,
        onStep,
        eventDetails,
      },
      end: (ending) => this.#end(ending),
    });
    this.#loop = new TurnLoop(plan, { ...parts, backend, eventLog, context, runId: this.id });
    this.result = this.#run();
    this.released = this.result.then(() => this.#loop.release());
  }

  get durationMs(): number {
    return (this.#endedAt ?? this.#services.now()) - this.#startedAt;
  }

  stop = (reason?: string, by: StoppedBy = "caller"): void => this.#end(stoppedEnding(reason, by));

  [Symbol.asyncIterator](): AsyncIterator<RunEvent> {
    return this.#journal.events[Symbol.asyncIterator]();
  }

  #createTools(): ToolExecutor {
    const { spec, toolbox, session, labels, approve, permissions = createMemoryPermissions() } = this.#plan;
    const { backend, eventLog, permissions: lasting, ...services } = this.#services;
    const known = backend.features.builtins;
    const annotated = spec.builtins.map((name) => [name, known[name] ?? { destructive: true }] as const);
    return new ToolExecutor({
      ...services,
      ...{ toolbox, host: toolHost(backend), builtins: Object.fromEntries(annotated) },
      ...{ projectDir: spec.projectDir, environment: spec.environment },
      ...{ journal: this.#journal, runId: this.id, approvals: eventLog.approvals },
      ...{ approver: approve ?? services.approver, sessionId: session?.sessionId, labels },
      maxResultChars: backend.features.maxResultChars,
      offersResultsAtOnce: backend.features.offersLater === false,
      earlierResults: session?.earlierResults,
      permissions: joinPermissions(permissions, lasting),
      pauseRun: () => this.#pause(),
      stop: (reason) => this.stop(`by the person who was asked: ${reason}`, "person"),
    });
  }

  /** While a person is asked, the time limit stands still, and other runs may use the account. */
  #pause(): () => Promise<void> {
    const release = this.#clock.hold();
    const wake = this.#permit.rest();
    return async () => {
      await wake();
      release();
    };
  }

  /** The first cause counts. From then on no tool starts, and events of the backend are ignored. */
  #end(ending: RunEnding): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    if (this.#requests.isOpen) this.#steps.addUnknownCost();
    this.#tools.close(
      `The run ended before the call did (${ending.stopReason}). It is not known whether the call had an effect.`,
      { leavesQuestions: "error" in ending && ending.error.cause instanceof ProcessEnding },
    );
    this.#abort.abort();
    this.#clock.pause();
    this.#ending.resolve(ending);
  }

  async #run(): Promise<ResultWith<T>> {
    const { signal } = this.#plan;
    const onAbort = () => this.#end(abortedEnding(signal?.reason));
    signal?.addEventListener("abort", onAbort, { once: true });
    try {
      await this.#journal.open(this.#plan.session?.writer);
      await this.#logStart();
      if (signal?.aborted) onAbort();
      else void this.#loop.run().then((ending) => this.#end(ending)); // ended naturally, or the backend failed
    } catch (error) {
      this.#end(failedEnding(error));
    }
    try {
      return await this.#finish(await this.#ending.promise); // or: stopped, timed out, a budget spent, the event log failed
    } finally {
      signal?.removeEventListener("abort", onAbort);
    }
  }

  async #logStart(): Promise<void> {
    const { notices, session } = this.#plan;
    this.#journal.append(describeRunStart(this.#plan, this.#services, this.#journal));
    for (const each of notices) this.#journal.append({ type: "notice", level: "warning", ...each });
    for (const draft of session?.late ?? []) this.#journal.append(draft);
    if (session?.late) await this.#journal.durable();
  }

  async #finish(ending: RunEnding): Promise<ResultWith<T>> {
    if ("error" in ending && ending.error.runId === undefined) Reflect.set(ending.error, "runId", this.id); // may be frozen
    this.#reportUnreported();
    const result = describeEnd(ending, this.#steps, this.#tools);
    this.#endedAt = this.#services.now();
    await this.#journal.end({ type: "run.finished", result, durationMs: this.durationMs });
    this.#permit.leave("error" in ending ? ending.error : undefined); // the next run starts after the end is logged
    const { object: _json, error: _report, ...rest } = result;
    const { object } = this.#plan;
    if ("error" in ending) return { ...rest, error: ending.error };
    return object && ending.stopReason === "natural" ? { ...rest, object: object() } : rest;
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

/** The run's session sees its events, too. */
function observed(services: EngineServices, { session }: RunPlan): JournalServices {
  if (session === undefined) return services;
  return {
    ...services,
    observe(event) {
      session.observe(event);
      services.observe(event);
    },
  };
}
