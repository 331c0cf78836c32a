import {
  type AgentRun,
  type AgentRuntime,
  type AgentSession,
  type Approver,
  type AuthStatus,
  allowAllTools,
  type Backend,
  BackendCrashError,
  type BridleError,
  BudgetExceededError,
  type EventDetail,
  type EventLog,
  InvalidRequestError,
  isBridleError,
  type Logger,
  type LoopRequest,
  mcpTransports,
  type ObjectRequest,
  type ObjectResult,
  omitUndefined,
  type PermissionStore,
  type Policy,
  type PromptCaching,
  preview,
  type RunEvent,
  type RunResult,
  type RuntimeCapabilities,
  type SessionRequest,
  type SharedLimits,
  type SourcePosition,
  silentLogger,
  type TextRequest,
  type TextResult,
} from "@bridle/protocol";
import { onlyFromEventLog } from "../approvals/approval-store.ts";
import { createMemoryPermissions } from "../approvals/memory-permissions.ts";
import { createMemoryEventLog } from "../event-log/memory-event-log.ts";
import { createObserver } from "../event-log/observe.ts";
import { type AccountLimiter, accountLimiterFor } from "../limits/account-limiter.ts";
import { type LimitOptions, resolveLimitOptions } from "../limits/limit-options.ts";
import type { LimitPace } from "../limits/used-up.ts";
import { positive } from "../run/checks/check-options.ts";
import {
  checkLoopRequest,
  checkObjectRequest,
  checkSessionRequest,
  checkTextRequest,
} from "../run/checks/request-options.ts";
import { startRun } from "../run/engine.ts";
import type { EngineServices, StartedRun } from "../run/engine-services.ts";
import type { RunPlan } from "../run/run-plan.ts";
import { RunPlanner } from "../run/run-request.ts";
import { createCompact, defaultCompaction } from "../sessions/compact.ts";
import { openAgentSession } from "../sessions/session.ts";
import { createTurnTaking, type TurnTaking } from "../sessions/turn-taking.ts";
import { createTelemetry } from "../telemetry/telemetry.ts";
import { endsWithin } from "../time/deadline.ts";

export interface RuntimeOptions {
  backend: Backend;
  /** The model name for each role. A role without an entry uses `default`. */
  models: Readonly<Record<string, string>>;
  /** Where the models are set, for the error if a model is missing. */
  modelsPosition?: SourcePosition | undefined;
  /** The rules that every call must pass. Default: every tool that you pass to a run may be called. */
  policy?: Policy | undefined;
  /**
   * Answers questions where the policy asks; another process may answer first through the event log. With `event-log`, only answers through
   * the event log count. If missing, `ask` denies.
   */
  approve?: Approver | "event-log" | undefined;
  /** After this many milliseconds a question without an answer is a denial. Default: 3,600,000, an hour. */
  approvalTimeoutMs?: number | undefined;
  /** The store of remembered answers that outlive a session. Default: they are kept as long as the runtime. */
  permissions?: PermissionStore | undefined;
  eventLog?: EventLog | undefined;
  logger?: Logger | undefined;
  promptCaching?: Partial<PromptCaching> | undefined;
  /** Limits for the backend's account. All runtimes of the process share the account, and the smallest `maxConcurrency` applies. */
  limits?: LimitOptions | undefined;
  /** Shares used-up windows with other processes, for example `eventLog.limits`. Default: each process finds out about them by itself. */
  sharedLimits?: SharedLimits | undefined;
  /** The times of a wait for a window; for tests. */
  limitPace?: Partial<LimitPace> | undefined;
  /** The folder of the project. Default: the working directory. */
  projectDir?: string | undefined;
  /** Variables for the processes that hosts start and for tools, in every run. */
  toolEnvironment?: Readonly<Record<string, string>> | undefined;
  /** Additional details in the events of every run. Default: none. */
  eventDetails?: readonly EventDetail[] | undefined;
  now?: (() => number) | undefined;
  /** Called with every event of every run. Contract: does not wait; errors that it throws are logged and have no other effect. */
  onEvent?: ((event: RunEvent) => void) | undefined;
}

/** How long `close()` waits for conversations, and then again for the backend. Both together must take less than five seconds. */
const releaseMs = 2000;
const backendCloseMs = 2500;

const defaultApprovalTimeoutMs = 3_600_000;

/**
 * Creates a runtime on one backend. The runtime opens nothing until it is used. Throws ConfigError for invalid limits, and if `approve` is
 * `event-log` but the event log accepts no answers.
 */
export function createAgentRuntime(options: RuntimeOptions): AgentRuntime {
  return new Runtime(options);
}

class Runtime implements AgentRuntime {
  readonly backend: string;
  readonly capabilities: RuntimeCapabilities;
  readonly rehearsal: string | undefined;
  readonly #options: RuntimeOptions;
  readonly #planner: RunPlanner;
  readonly #limits: ReturnType<typeof resolveLimitOptions>;
  readonly #services: Omit<EngineServices, "limiter">;
  readonly #turns: TurnTaking;
  readonly #runs = new Set<StartedRun>();
  /** Writes to the event log after runs have ended. */
  readonly #unfinished = new Set<Promise<void>>();
  #limiter: AccountLimiter | undefined;
  #closing: Promise<void> | undefined;

  constructor(options: RuntimeOptions) {
    const { backend, logger = silentLogger, eventLog = createMemoryEventLog() } = options;
    this.backend = backend.id;
    this.capabilities = describeCapabilities(backend);
    this.rehearsal = backend.rehearsed ? (backend.script ?? "") : undefined;
    this.#options = options;
    this.#planner = new RunPlanner(options);
    this.#limits = resolveLimitOptions(options.limits);
    this.#turns = createTurnTaking(eventLog);
    this.#services = {
      backend,
      eventLog,
      logger,
      policy: options.policy ?? allowAllTools,
      approver: options.approve === "event-log" ? onlyFromEventLog(options.eventLog) : options.approve,
      approvalTimeoutMs: positive("approvalTimeoutMs", options.approvalTimeoutMs) ?? defaultApprovalTimeoutMs,
      permissions: options.permissions ?? createMemoryPermissions(),
      now: options.now ?? Date.now,
      observe: createObserver(
        [createTelemetry(backend.telemetryProvider ?? backend.id), (event) => options.onEvent?.(event)],
        logger,
      ),
    };
  }

  generateText = async (request: TextRequest | string): Promise<TextResult> => {
    const whole = typeof request === "string" ? { prompt: request } : request;
    checkTextRequest(whole);
    return this.#answerFrom(this.#begin(this.#planner.planText(whole)));
  };

  generateObject = async <T>(request: ObjectRequest<T>): Promise<ObjectResult<T>> => {
    checkObjectRequest(request);
    const plan = this.#planner.planObject(request);
    return { ...(await this.#answerFrom(this.#begin(plan))), object: plan.object() };
  };

  runAgentLoop = <T = unknown>(request: LoopRequest<T>): AgentRun<T> => {
    checkLoopRequest(request);
    const { compaction = defaultCompaction } = request;
    const compact = createCompact(request, this.#compactServices());
    const plan = this.#planner.planLoop(request);
    return this.#begin({ ...plan, compact: (...given) => compact(compaction, ...given) });
  };

  openSession = async <T = unknown>(request: SessionRequest<T>): Promise<AgentSession<T>> => {
    checkSessionRequest(request);
    const { permissions, now, eventLog, backend } = this.#services;
    return openAgentSession(request, {
      eventLog,
      permissions,
      now,
      backend: backend.id,
      turns: this.#turns,
      ...this.#compactServices(),
      finishBeforeClose: (work) => {
        this.#unfinished.add(work);
        void work.finally(() => this.#unfinished.delete(work));
      },
      leave: async (session) => backend.releaseSession?.(session),
    });
  };

  checkAuth = async (signal?: AbortSignal): Promise<AuthStatus> => this.#services.backend.checkAuth(signal);

  close = (): Promise<void> => {
    this.#closing ??= this.#close();
    return this.#closing;
  };

  #compactServices() {
    return { planner: this.#planner, begin: <T>(plan: RunPlan<T>) => this.#begin(plan) };
  }

  #begin<T>(plan: RunPlan<T>): StartedRun<T> {
    if (this.#closing) throw new InvalidRequestError("The runtime is closed. Create a new one with createRuntime().");
    const { sharedLimits, limitPace } = this.#options;
    const { backend, logger } = this.#services;
    const limiterOptions = { limits: this.#limits, logger, sharedLimits, limitPace };
    this.#limiter ??= accountLimiterFor(backend.account, limiterOptions);
    const run = startRun(plan, { ...this.#services, limiter: this.#limiter });
    this.#runs.add(run);
    void run.released.finally(() => this.#runs.delete(run));
    return run;
  }

  async #answerFrom(run: StartedRun): Promise<TextResult> {
    const result = await run.result;
    const { durationMs, id: runId } = run;
    const { text, usage, cost, model } = result;
    const known = { usage, durationMs, ...omitUndefined({ cost }) };
    if (result.stopReason !== "natural") {
      const error = asError(runId, result, await this.#unknownToolOf(run, result));
      for (const [key, value] of Object.entries(known)) Reflect.set(error, key, value); // may be frozen
      throw error;
    }
    return { runId, text, ...known, ...omitUndefined({ model }) };
  }

  /**
   * Returns an unknown tool's name if the last response called only unknown tools. Then the cause of the end is the unknown tool, not a
   * budget.
   */
  async #unknownToolOf({ id: runId }: StartedRun, { stopReason }: RunResult): Promise<string | undefined> {
    if (stopReason !== "budget") return undefined;
    const events = await this.#services.eventLog.read({ runId });
    const last = events.slice(events.findLastIndex(({ type }) => type === "step.started") + 1);
    const decisions = last.filter((event) => event.type === "tool.evaluated");
    if (decisions.some(({ rule }) => rule !== "known-tool")) return undefined;
    const requested = last.find((event) => event.type === "tool.requested" && event.callId === decisions[0]?.callId);
    return requested?.type === "tool.requested" ? requested.tool : undefined;
  }

  async #close(): Promise<void> {
    const { backend, logger } = this.#services;
    for (const run of this.#runs) run.stop("the runtime was closed", "runtime");
    const shared = this.#limiter?.close();
    const released = Promise.all([...this.#runs].map((run) => run.released));
    if (!(await endsWithin(releaseMs, released)))
      logger.warn({ open: this.#runs.size }, "conversations did not close in time");
    await Promise.all([shared, ...this.#unfinished]);
    const closed = (async () => backend.close())();
    closed.catch((error: unknown) => logger.warn({ backend: backend.id, error }, "closing the backend failed"));
    if (!(await endsWithin(backendCloseMs, closed)))
      logger.warn({ backend: backend.id }, "the backend did not close in time");
  }
}

function asError(runId: string, { stopReason, error }: RunResult, unknownTool?: string): BridleError {
  if (isBridleError(error)) return error;
  if (unknownTool !== undefined) {
    return new InvalidRequestError(
      `The model called the tool ${preview(unknownTool)}, which the request does not have, and had no step left for an answer. Pass the tool, or do not mention it to the model.`,
      { runId },
    );
  }
  if (stopReason === "budget") {
    return new BudgetExceededError(
      "The run reached a budget before the answer was complete. Ask for less, or raise stepBudget, maxTotalTokens or maxCostUsd.",
      { runId },
    );
  }
  return new BackendCrashError(`The run ended without an answer (${stopReason}).`, { runId });
}

function describeCapabilities({ features }: Backend): RuntimeCapabilities {
  const { parallelCalls = true, outstandingCalls = "all" } = features;
  return { parallelCalls, outstandingCalls, features, mcpTransports };
}
