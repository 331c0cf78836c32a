import {
  type AgentRuntime,
  type Approver,
  allowHandedOver,
  type Backend,
  BackendCrashError,
  type BridleError,
  BudgetExceededError,
  type EventLog,
  InvalidRequestError,
  isBridleError,
  type Logger,
  type ObjectRequest,
  type PermissionStore,
  type Policy,
  type PromptCaching,
  type RunEvent,
  type RunResult,
  type SourcePosition,
  silentLogger,
} from "@bridle/protocol";
import { onlyOnRecord } from "../approvals/approval-store.ts";
import { createMemoryPermissions } from "../approvals/memory-permissions.ts";
import { createMemoryEventLog } from "../event-log/memory-event-log.ts";
import { createObserver } from "../event-log/observe.ts";
import { type AccountLimiter, accountLimiterFor } from "../limits/account-limiter.ts";
import { checkLimits, type LimitOptions } from "../limits/limit-options.ts";
import type { LimitPace } from "../limits/used-up.ts";
import { type EngineServices, type StartedRun, startRun } from "../run/engine.ts";
import type { RunPlan } from "../run/run-plan.ts";
import { createPlanner, optional, positive } from "../run/run-request.ts";
import { createCondense, defaultCompaction } from "../sessions/compact.ts";
import { openSession } from "../sessions/session.ts";
import { createTurnTaking } from "../sessions/turn-taking.ts";
import { createTelemetry } from "../telemetry/telemetry.ts";
import { endsWithin } from "../time/deadline.ts";

export interface RuntimeOptions {
  backend: Backend;
  /** Roles to model names; a role that is not bound uses `default`. */
  models: Readonly<Record<string, string>>;
  /** Where the models are set, for the error when one is missing. */
  modelsPosition?: SourcePosition;
  /** The rules that every call must pass. Default: what is handed over may run. */
  policy?: Policy;
  /**
   * Answers where the policy asks; an answer that comes by way of the record may be quicker. With `record` only such
   * answers are waited for. Without one nobody can be asked, and `ask` denies.
   */
  approve?: Approver | "record";
  /** After this many milliseconds a question without an answer is a denial. Default: 3,600,000, an hour. */
  approvalTimeoutMs?: number;
  /** Where answers are kept that outlive a session. Default: as long as the runtime. */
  permissions?: PermissionStore;
  record?: EventLog;
  logger?: Logger;
  promptCaching?: Partial<PromptCaching>;
  /** How the backend's account is used; all runtimes of the process share it, and the smallest `maxConcurrency` holds. */
  limits?: LimitOptions;
  /** Where it is kept that a window is used up, so that `wait` goes on in the next process. Default: nowhere. */
  limitsFolder?: string;
  /** The times of a wait for a window; for tests. */
  limitPace?: Partial<LimitPace>;
  /** The folder that runs are about. Default: the working directory. */
  projectDir?: string;
  now?: () => number;
  /** Called with every event of every run. Contract: does not wait; what it throws is logged and affects nobody. */
  onEvent?(event: RunEvent): void;
}

/** `close()` waits this long for conversations, and then for the backend: five seconds are promised for both. */
const releaseMs = 2000;
const backendCloseMs = 2500;

const defaultApprovalTimeoutMs = 3_600_000;

/**
 * Makes a runtime over one backend. It holds nothing open until it is used. Throws ConfigError for wrong limits, and
 * where answers are to come by way of a record that takes none.
 */
export function createAgentRuntime(options: RuntimeOptions): AgentRuntime {
  const { backend, logger = silentLogger } = options;
  const planner = createPlanner(options);
  const limits = checkLimits(options.limits);
  const runs = new Set<StartedRun>();
  const record = options.record ?? createMemoryEventLog();
  const turns = createTurnTaking(record);
  let closing: Promise<void> | undefined;
  let limiter: AccountLimiter | undefined;
  const services: Omit<EngineServices, "limiter"> = {
    backend,
    record,
    policy: options.policy ?? allowHandedOver,
    ...optional("approver", options.approve === "record" ? onlyOnRecord(options.record) : options.approve),
    approvalTimeoutMs: positive("approvalTimeoutMs", options.approvalTimeoutMs) ?? defaultApprovalTimeoutMs,
    permissions: options.permissions ?? createMemoryPermissions(),
    logger,
    now: options.now ?? Date.now,
    observe: createObserver([createTelemetry(backend.id), (event) => options.onEvent?.(event)], logger),
  };

  function begin(plan: RunPlan): StartedRun {
    if (closing) throw new InvalidRequestError("The runtime is closed. Make a new one with createRuntime().");
    const { limitsFolder, limitPace } = options;
    limiter ??= accountLimiterFor(backend.account, {
      ...{ limits, logger },
      ...optional("limitsFolder", limitsFolder),
      ...optional("limitPace", limitPace),
    });
    const run = startRun(plan, { ...services, limiter });
    runs.add(run);
    void run.released.finally(() => runs.delete(run));
    return run;
  }

  async function close(): Promise<void> {
    for (const run of runs) run.stop("the runtime was closed");
    limiter?.close();
    const released = Promise.all([...runs].map((run) => run.released));
    if (!(await endsWithin(releaseMs, released)))
      logger.warn({ open: runs.size }, "conversations did not close in time");
    const closed = (async () => backend.close())();
    closed.catch((error: unknown) => logger.warn({ backend: backend.id, error }, "closing the backend failed"));
    if (!(await endsWithin(backendCloseMs, closed)))
      logger.warn({ backend: backend.id }, "the backend did not close in time");
  }

  return {
    backend: backend.id,
    async generateText(request) {
      const run = begin(planner.planText(request));
      return answer(run.id, await run.result);
    },
    async generateObject<T>(request: ObjectRequest<T>) {
      const { plan, object } = planner.planObject(request);
      const run = begin(plan);
      return { ...answer(run.id, await run.result), object: object() };
    },
    runAgentLoop(request) {
      const { compaction = defaultCompaction } = request;
      const condense = createCondense(request, { planner, begin });
      return begin({
        ...planner.planLoop(request),
        condense: (whole, place) => condense(compaction, whole, place),
      });
    },
    async openSession(request) {
      const { permissions, now } = services;
      const leave = async (session: string) => backend.leaveSession?.(session);
      return openSession(request, { record, permissions, now, planner, backend: backend.id, turns, begin, leave });
    },
    checkAuth: async (signal) => backend.checkAuth(signal),
    close() {
      closing ??= close();
      return closing;
    },
  };
}

function answer(runId: string, result: RunResult) {
  if (result.stopReason !== "natural") throw asError(runId, result);
  const { text, usage, cost, model } = result;
  return { runId, text, usage, ...optional("cost", cost), ...optional("model", model) };
}

function asError(runId: string, { stopReason, error }: RunResult): BridleError {
  if (isBridleError(error)) return error;
  if (stopReason === "budget") {
    return new BudgetExceededError("The model's answer was cut off by the step budget. Ask for less.", { runId });
  }
  return new BackendCrashError(`The run ended without an answer (${stopReason}).`, { runId });
}
