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
  type PermissionStore,
  type Policy,
  type RunPlace,
  type RunResult,
  reasonOf,
  totalTokens,
  type Usage,
} from "@bridle/protocol";
import { createMemoryPermissions, joinPermissions } from "../approvals/memory-permissions.ts";
import { createJournal, type Journal, type JournalServices } from "../event-log/journal.ts";
import { createStepCounter, type StepCounter } from "../event-log/step-counter.ts";
import type { AccountLimiter } from "../limits/account-limiter.ts";
import { composePolicies } from "../policy/compose-policies.ts";
import { newRunId } from "../system/ids.ts";
import { createRunClock } from "../time/run-clock.ts";
import { createToolExecutor, type ToolExecutor } from "../tools/tool-executor.ts";
import { type Ending, failed, stopped, timedOut } from "./ending.ts";
import { filterTools } from "./filter-tools.ts";
import { requestPermit } from "./run-permit.ts";
import type { RunPlan } from "./run-plan.ts";
import { createTurnContext } from "./turn-context.ts";
import { createTalk } from "./turn-loop.ts";

/** What a runtime shares among its runs. */
export interface EngineServices extends JournalServices {
  backend: Backend;
  policy: Policy;
  /** Answers for a person; missing where nobody can be asked. */
  approver?: Approver;
  /** After this many milliseconds a question without an answer is a denial. */
  approvalTimeoutMs: number;
  /** Remembered answers that outlive a session. */
  permissions: PermissionStore;
  /** Of the account that pays. */
  limiter: AccountLimiter;
}

/** A run, and the moment when nothing of it is left open on the host. */
export interface StartedRun extends AgentRun {
  readonly released: Promise<void>;
}

/** Throws a ConfigError when the policy does not fit the tools; everything later is in the run's result. */
export function startRun(given: RunPlan, shared: EngineServices): StartedRun {
  const policy = composePolicies(given.policy, shared.policy);
  const services = { ...shared, policy };
  const { backend, logger, now, limiter } = services;
  const plan = filterTools(given, policy, Object.keys(backend.features.builtins));
  const { spec, signal, timeoutMs } = plan;
  const id = newRunId(now());
  const startedAt = now();
  const journal = createJournal(placeOf(id, plan), services);
  const steps = createStepCounter(spec.stepBudget);
  const abort = new AbortController();
  const decided = Promise.withResolvers<Ending>();
  const gate = createToolExecutor({
    ...gatePartsOf(plan, services),
    journal,
    runId: id,
    holdClock: () => clock.hold(),
    stop: (reason) => decide(stopped(`by the person who was asked: ${reason}`)),
  });
  const clock = createRunClock(timeoutMs, (ms) => decide(timedOut(ms)));
  const permit = requestPermit(limiter, journal, (error) => decide(failed(error)));
  let over = false;

  /** The first cause counts. From then on no tool starts, and nothing that the backend tells is heard. */
  function decide(ending: Ending): void {
    if (over) return;
    over = true;
    gate.close(`The run ended before the call did (${ending.stopReason}): whether it had an effect is not known.`);
    abort.abort();
    clock.pause();
    permit.leave("error" in ending ? ending.error : undefined);
    decided.resolve(ending);
  }

  const parts = { journal, steps, permit, clock, logger };
  const host = createTurnContext({
    ...plan,
    ...parts,
    gate,
    signal: abort.signal,
    stepBudget: spec.stepBudget,
    ...(spec.maxCostUsd === undefined ? {} : { maxCostUsd: spec.maxCostUsd }),
    end: decide,
  });
  const talk = createTalk(plan, { ...parts, backend, record: services.record, host, runId: id });
  const stop = (reason?: string) => decide(stopped(reason));
  const onAbort = () => stop(reasonOf(signal?.reason));

  async function untilEnd(): Promise<RunResult> {
    signal?.addEventListener("abort", onAbort, { once: true });
    try {
      journal.append(describeStart(plan, services, journal));
      for (const each of plan.notices) journal.append({ type: "notice", level: "warning", ...each });
      for (const draft of plan.session?.late ?? []) journal.append(draft, { durable: true });
      if (signal?.aborted) onAbort();
      else void talk.converse().then(decide); // ended by itself, or the backend failed
    } catch (error) {
      decide(failed(error));
    }
    try {
      return finish(await decided.promise); // or: stopped, out of time, a budget spent, the record failed
    } finally {
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

  const result = untilEnd();
  return {
    id,
    result,
    released: result.then(talk.release),
    stop,
    [Symbol.asyncIterator]: () => journal.events[Symbol.asyncIterator](),
  };
}

function placeOf(runId: string, { session }: RunPlan): RunPlace {
  return { runId, ...(session && { sessionId: session.sessionId }) };
}

function gatePartsOf(plan: RunPlan, services: EngineServices) {
  const { spec, toolbox, session, permissions = createMemoryPermissions() } = plan;
  const known = services.backend.features;
  const builtins = Object.fromEntries(
    spec.builtins.map((name) => [name, known.builtins[name] ?? { destructive: true }]),
  );
  return {
    ...services,
    ...{ toolbox, builtins, projectDir: spec.projectDir, inbox: services.record.approvals },
    maxResultChars: known.maxResultChars,
    earlierResults: session?.earlierResults,
    permissions: joinPermissions(permissions, services.permissions),
  };
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
    ...(role === undefined ? {} : { role }),
    ...(labels === undefined ? {} : { labels }),
    tools: spec.tools.map(({ name }) => name),
    builtins: spec.builtins,
    stepBudget: spec.stepBudget,
    policy: policy.snapshot === undefined ? policy.id : journal.putArtifact(policy.snapshot),
  };
}

function describeResult(ending: Ending, steps: StepCounter, gate: ToolExecutor): RunResult {
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
