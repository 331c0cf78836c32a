/**
 * The run engine: one run from its request to its single end, the same on every backend.
 *
 * All causes of an end call `#end`. The first one counts, and later ones are dropped.
 */
import { omitUndefined, type PermissionStore, type ResultWith, type RunEvent, type StoppedBy } from "@bridle/protocol";
import { type AnswerSource, joinApprovals } from "../approvals/join-approvals.ts";
import { createMemoryPermissions, joinPermissions, permissionsBelow } from "../approvals/memory-permissions.ts";
import { Journal } from "../event-log/journal.ts";
import { StepCounter } from "../event-log/step-counter.ts";
import type { Permit } from "../limits/permit.ts";
import { composePolicies } from "../policy/compose-policies.ts";
import { newRunId } from "../system/ids.ts";
import { CalledClock, CalledClocks } from "../time/called-clock.ts";
import { createRunClock, type RunClock } from "../time/run-clock.ts";
import type { ToolExecutor } from "../tools/tool-executor.ts";
import { describeEnd, describeRunScope, describeRunStart } from "./describe-run.ts";
import { abortedEnding, failedEnding, ProcessEnding, type RunEnding, stoppedEnding, timedOutEnding } from "./ending.ts";
import { type EngineServices, observeRun, type StartedRun } from "./engine-services.ts";
import { filterTools } from "./filter-tools.ts";
import { type CallerCall, findCallingRun } from "./nesting/calling-run.ts";
import { depthBelow, inheritFrom } from "./nesting/inherit.ts";
import { Nesting } from "./nesting/nesting.ts";
import { RunSpending } from "./nesting/run-spending.ts";
import { RequestWatch } from "./request-watch.ts";
import { appendOrFail, requestPermit } from "./run-permit.ts";
import type { RunPlan } from "./run-plan.ts";
import { createRunTools } from "./run-tools.ts";
import { RunTurnContext } from "./turn-context.ts";
import { TurnLoop } from "./turn-loop.ts";

/**
 * Starts a run. Throws a ConfigError if a rule names an unknown tool, and a BridleError if the caller may not start the run; every later
 * failure is in the run's result.
 */
export function startRun<T>(plan: RunPlan<T>, shared: EngineServices): StartedRun<T> {
  const own = { plan, services: { ...shared, policy: composePolicies(plan.policy, shared.policy) } };
  const above = plan.parent && findCallingRun(plan.parent);
  const { services, ...limited } = above ? inheritFrom(plan, own.services, above.caller) : own;
  const { policy, backend } = services;
  return new Run(filterTools(limited.plan, policy, Object.keys(backend.features.builtins)), services, above);
}

/** One run, from its plan to its single end. All causes of an end call `#end`; the first one counts. */
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
  readonly #spending: RunSpending;
  readonly #nesting: Nesting;
  /** The remembered answers. Some are forgotten at the end of the session, or of a run without a session. */
  readonly #permissions: PermissionStore;
  /** Answers from other processes. */
  readonly #approvals: AnswerSource | undefined;
  readonly #tools: ToolExecutor;
  readonly #clock: RunClock;
  readonly #permit: Permit;
  readonly #loop: TurnLoop;
  readonly #abort = new AbortController();
  readonly #ending = Promise.withResolvers<RunEnding>();
  #hasEnded = false;
  #endedAt: number | undefined;

  constructor(plan: RunPlan<T>, services: EngineServices, above: CallerCall | undefined) {
    const { backend, logger, limiter, now, eventLog } = services;
    const { spec } = plan;
    this.#plan = plan;
    this.#services = services;
    this.#startedAt = now();
    this.id = plan.runId ?? newRunId(now());
    this.#journal = new Journal(
      describeRunScope(this.id, plan),
      observeRun(services, plan, (event) => this.#nesting.observe(event)),
    );
    this.#steps = new StepCounter(spec.stepBudget);
    const clock = createRunClock(plan.timeoutMs, (ms) => this.#end(timedOutEnding(ms)));
    this.#clock = above ? new CalledClock(clock, above.caller.clocks) : clock;
    const { stepBudget, maxCostUsd } = spec;
    const { maxTotalTokens, onStep, eventDetails } = plan;
    const counters = { steps: this.#steps, requests: this.#requests };
    this.#spending = new RunSpending({
      ...counters,
      limits: { stepBudget, maxTotalTokens, maxCostUsd },
      caller: above?.caller.spending,
      summaryFor: plan.summaryFor,
      calls: () => this.#tools.calls,
    });
    const { permissions: lasting } = services;
    this.#permissions = above
      ? permissionsBelow(above.caller.permissions, lasting)
      : joinPermissions(plan.permissions ?? createMemoryPermissions(), lasting);
    this.#approvals = joinApprovals([eventLog.approvals, above?.caller.approvals]);
    this.#nesting = this.#createNesting(above);
    this.#tools = this.#createTools();
    this.#permit = requestPermit(limiter, this.#journal, (error) => this.#end(failedEnding(error)));
    const shared = { journal: this.#journal, ...counters, spending: this.#spending };
    const parts = { ...shared, permit: this.#permit, clock: this.#clock, logger };
    const context = new RunTurnContext({
      ...parts,
      tools: this.#tools,
      signal: this.#abort.signal,
      stepBudget,
      onStep,
      eventDetails,
      end: (ending) => this.#end(ending),
    });
    this.#loop = new TurnLoop(plan, { ...parts, backend, eventLog, context, runId: this.id });
    this.#nesting.enter({ end: (reason) => this.#end(abortedEnding(reason)) });
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

  #createNesting(above: CallerCall | undefined): Nesting {
    const { session, approve } = this.#plan;
    const { policy, approver, approvalTimeoutMs, backend } = this.#services;
    return new Nesting({
      self: {
        id: this.id,
        stop: this.stop,
        sessionId: session?.sessionId,
        policy,
        approvalTimeoutMs,
        approver: approve ?? approver,
        permissions: this.#permissions,
        clocks: new CalledClocks(this.#clock),
        approvals: this.#approvals,
        spending: this.#spending,
        depthLeft: depthBelow(this.#plan, above?.caller),
        knownTools: [...(this.#plan.knownTools ?? []), ...(above?.caller.knownTools ?? [])],
        findOwnTool: (name) => this.#tools.identityOf(name),
        isRehearsed: backend.rehearsed ?? false,
        isOver: (callId) => this.#hasEnded || this.#tools.signalOf(callId).aborted,
        signalOf: (callId) => this.#tools.signalOf(callId),
      },
      above,
      pause: () => this.#pause(),
      log: appendOrFail(this.#journal, (error) => this.#end(failedEnding(error))),
    });
  }

  #createTools(): ToolExecutor {
    return createRunTools(this.#plan, this.#services, {
      journal: this.#journal,
      runId: this.id,
      permissions: this.#permissions,
      approvals: this.#approvals,
      pauseRun: () => this.#nesting.pause(),
      callFor: this.#nesting.callFor,
      stop: (reason) => this.#nesting.stop(`by the person who was asked: ${reason}`, "person"),
    });
  }

  /** Pauses the time limit and lets other runs use the account while the user is asked. */
  #pause(): () => Promise<void> {
    const release = this.#clock.hold();
    const wake = this.#permit.rest();
    return async () => {
      await wake();
      release();
    };
  }

  /** Ends the run. The first cause counts; from then on, no tool starts and events from the backend are ignored. */
  #end(ending: RunEnding): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    if (this.#requests.isOpen) this.#steps.addUnknownCost();
    this.#requests.end();
    this.#nesting.endNested(ending);
    this.#tools.close(
      `The run ended before the call did (${ending.stopReason}). It is not known whether the call had an effect.`,
      { leavesQuestions: "error" in ending && ending.error.cause instanceof ProcessEnding },
    );
    this.#abort.abort();
    this.#clock.end();
    this.#nesting.end(ending);
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
    const { labels, spec } = this.#plan;
    this.#nesting.begin({
      ...omitUndefined({ nestedSessionId: session?.sessionId, agent: labels?.agent }),
      backend: this.#services.backend.id,
      model: spec.model,
    });
    for (const each of notices) this.#journal.append({ type: "notice", level: "warning", ...each });
    for (const draft of session?.late ?? []) this.#journal.append(draft);
    if (session?.late) await this.#journal.durable();
  }

  async #finish(ending: RunEnding): Promise<ResultWith<T>> {
    if ("error" in ending && ending.error.runId === undefined) Reflect.set(ending.error, "runId", this.id); // may be frozen
    this.#reportUnreported();
    const result = describeEnd(ending, this.#steps, this.#tools, this.#spending.nested);
    this.#endedAt = this.#services.now();
    await this.#journal.end({ type: "run.finished", result, durationMs: this.durationMs });
    this.#permit.leave("error" in ending ? ending.error : undefined); // the next run starts after the end is logged
    const { object: _json, error: _report, ...rest } = result;
    const { object } = this.#plan;
    if ("error" in ending) return { ...rest, error: ending.error };
    return object && ending.stopReason === "natural" ? { ...rest, object: object() } : rest;
  }

  /** Logs usage that the host did not report in time. */
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
