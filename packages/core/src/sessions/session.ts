import {
  type AgentSession,
  buildTranscript,
  type Compaction,
  type EventDraft,
  type HistoryMessage,
  InvalidRequestError,
  omitUndefined,
  type RunEvent,
  type SendOptions,
  type SessionRequest,
  type SessionTotals,
  sessionAnswers,
  transcriptToHistory,
} from "@bridle/protocol";
import { createMemoryPermissions } from "../approvals/memory-permissions.ts";
import { checkForkOptions, checkSendOptions } from "../run/checks/request-options.ts";
import { checkCompactAt, modelKey, projectContextUsage } from "../run/context-usage.ts";
import type { StartedRun } from "../run/engine-services.ts";
import type { HistoryReplacement, RunPlan, SessionPart } from "../run/run-plan.ts";
import type { RunPlanner } from "../run/run-request.ts";
import { newSessionId } from "../system/ids.ts";
import { checkHistory } from "./check-history.ts";
import { type Compact, createCompact, defaultCompaction } from "./compact.ts";
import { type LateAnswerServices, settleOrphaned } from "./late-answers.ts";
import { LoggedSession } from "./logged-session.ts";
import { expectedEvents, type SendPrompt, toLoopRequest } from "./send-request.ts";
import { checkRunId, checkSessionId } from "./session-id.ts";
import type { SessionTurn, TurnTaking } from "./turn-taking.ts";
import { upToStep } from "./up-to-step.ts";
import { readWithoutDeltas } from "./without-deltas.ts";

export interface SessionServices extends LateAnswerServices {
  planner: RunPlanner;
  /** The backend's id. */
  backend: string;
  turns: TurnTaking;
  begin<T>(plan: RunPlan<T>): StartedRun<T>;
  /** Makes the runtime wait for this work before it closes. Contract: the work does not reject. */
  finishBeforeClose(work: Promise<void>): void;
  /** Releases the host's resources for the session's next run. */
  leave(session: string): Promise<void>;
}

/** Opens a session and reads its stored state. Rejects with an InvalidRequestError if the id is invalid or `compactAt` is not a share. */
export async function openAgentSession<T>(
  request: SessionRequest<T>,
  services: SessionServices,
): Promise<AgentSession<T>> {
  const session = new Session(checkSessionId(request.id ?? newSessionId()), request, services);
  await session.open();
  return session;
}

/**
 * A conversation of several runs. Its state is derived from its logged events, so it continues after a restart, and on any backend, with
 * the same history. At the start of each turn, the conversation reads the events that other processes have added.
 */
class Session<T> implements AgentSession<T> {
  readonly id: string;
  readonly #request: SessionRequest<T>;
  readonly #services: SessionServices;
  readonly #compact: Compact;
  readonly #compactAt: number;
  readonly #logged: LoggedSession;
  #writing: Promise<void> | undefined;
  /** Logged with the next run. */
  #replacement: HistoryReplacement | undefined;
  /**
   * The newest event when the history was compacted. If other events follow it, or the session begins again, the replacement is outdated.
   */
  #compactedAt: number | undefined;
  #current: StartedRun | undefined;
  #isClosed = false;

  constructor(id: string, request: SessionRequest<T>, services: SessionServices, replacement?: HistoryReplacement) {
    this.id = id;
    this.#request = request;
    this.#services = services;
    this.#logged = new LoggedSession(id, services.eventLog);
    this.#replacement = replacement;
    this.#compactAt = checkCompactAt(request.compactAt);
    this.#compact = createCompact(request, services, id);
  }

  get totals(): SessionTotals {
    return this.#logged.state.totals;
  }

  get steps(): number {
    return this.#logged.state.steps;
  }

  async send(prompt: SendPrompt, given: SendOptions = {}): Promise<StartedRun<T>> {
    checkSendOptions(given);
    const { whenBusy = "wait", runId, ...options } = given;
    if (runId !== undefined) checkRunId(runId);
    const { turns, begin } = this.#services;
    const waiting = startWaiting(options);
    const turn = await turns.take(this.id, whenBusy, waiting.signal);
    try {
      if (this.#isClosed) throw new InvalidRequestError(`The session ${this.id} is closed. Open it again to continue.`);
      const late = await settleOrphaned(this.id, this.#services);
      await this.refresh();
      if (!this.#logged.state.canContinueWith(this.#asEvents(late))) await this.#logged.readAll();
      const run = begin({
        ...this.#plan(prompt, { ...options, ...waiting.rest() }, late, turn),
        ...omitUndefined({ runId }),
      });
      this.#current = run;
      this.#replace(undefined);
      this.#writing = run.result.then(() => this.#endTurn(turn)); // a result never rejects
      return run;
    } catch (error) {
      await Promise.allSettled([turn.writer?.close()]);
      turn.end();
      throw error;
    }
  }

  async fork(options: { atStep?: number | undefined } = {}): Promise<AgentSession<T>> {
    checkForkOptions(options);
    const { atStep } = options;
    await this.refresh();
    const messages = atStep === undefined ? this.history() : await this.#historyUpTo(atStep);
    const replacement: HistoryReplacement = { reason: "forked", from: this.id, messages };
    return new Session(newSessionId(), this.#request, this.#services, replacement);
  }

  history(): readonly HistoryMessage[] {
    return this.#pending?.messages ?? this.#logged.state.history();
  }

  edit(messages: readonly HistoryMessage[]): void {
    this.#replace({ reason: "edited", messages: checkHistory(messages) });
  }

  async compact(strategy: Exclude<Compaction, "none">): Promise<boolean> {
    await this.#writing;
    await this.refresh();
    const before = this.#replacement;
    const compactedAt = this.#pending ? this.#compactedAt : this.#logged.state.lastSeq;
    const shorter = await this.#compact(strategy, this.history());
    if (shorter && this.#replacement === before) this.#replace(shorter, compactedAt); // otherwise the history has since been edited
    return shorter !== undefined;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#current?.stop("the session was closed", "session");
    await this.#current?.released;
    await this.#writing;
    await this.#services.leave(this.id);
  }

  /** Continues from the snapshots of the session. */
  open(): Promise<void> {
    return this.#logged.open();
  }

  refresh(): Promise<void> {
    return this.#logged.refresh();
  }

  #replace(replacement: HistoryReplacement | undefined, compactedAt?: number): void {
    this.#replacement = replacement;
    this.#compactedAt = compactedAt;
  }

  /** The history replacement that the next run has to log. */
  get #pending(): HistoryReplacement | undefined {
    const { lastSeq } = this.#logged.state;
    return (this.#compactedAt ?? lastSeq) !== lastSeq ? undefined : this.#replacement;
  }

  async #historyUpTo(step: number): Promise<readonly HistoryMessage[]> {
    const events = await readWithoutDeltas(this.#services.eventLog, this.id);
    return transcriptToHistory(upToStep(buildTranscript(events), step));
  }

  /** Lets the next run begin. Never rejects. */
  async #endTurn(turn: SessionTurn): Promise<void> {
    turn.end();
    const adding = this.#logged.addSnapshot();
    this.#services.finishBeforeClose(adding);
    await adding;
  }

  #plan(
    prompt: SendPrompt,
    options: Omit<SendOptions, "whenBusy" | "runId">,
    late: readonly EventDraft[],
    { writer }: SessionTurn,
  ): RunPlan<T> {
    const { planner, backend } = this.#services;
    const { compaction = defaultCompaction } = this.#request;
    const pending = this.#asEvents(late);
    const part = { ...this.#part(late, pending), writer };
    const plan = planner.planLoop(toLoopRequest(this.#request, prompt, options), part);
    const asked = modelKey(backend, plan.spec.model);
    const next = { asked, prompt: [plan.input], compactAt: this.#compactAt };
    const contextUsage = part.replacement ? undefined : projectContextUsage(this.#logged.state.usage, next);
    return {
      ...plan,
      session: { ...part, ...omitUndefined({ contextUsage }) },
      permissions: createMemoryPermissions(sessionAnswers([...this.#logged.state.approvals, ...pending])),
      compact: (...given) => this.#compact(compaction, ...given),
    };
  }

  #part(late: readonly EventDraft[], pending: readonly RunEvent[]): SessionPart {
    const { eventLog } = this.#services;
    const replacement = this.#pending;
    const results = [...this.#logged.state.results].map(
      ([callId, artifact]) => [callId, () => eventLog.artifact(artifact)] as const,
    );
    return {
      sessionId: this.id,
      history: replacement?.messages ?? this.#logged.state.history(pending),
      earlierResults: new Map(results),
      observe: (event) => this.#logged.observe(event),
      ...omitUndefined({ replacement }),
      ...(late.length > 0 && { late }),
    };
  }

  #asEvents(drafts: readonly EventDraft[]): RunEvent[] {
    return expectedEvents(drafts, {
      sessionId: this.id,
      after: this.#logged.state.lastSeq,
      time: this.#services.now(),
    });
  }
}

/** Starts to count the wait for a busy session. The wait counts towards a run's time limit. `rest` is the remaining limit. */
function startWaiting({ signal, timeoutMs }: Pick<SendOptions, "signal" | "timeoutMs">) {
  if (timeoutMs === undefined || !Number.isFinite(timeoutMs) || timeoutMs <= 0) return { signal, rest: () => ({}) };
  const begun = performance.now();
  const limit = AbortSignal.timeout(Math.min(Math.ceil(timeoutMs), maxTimerMs));
  return {
    signal: signal ? AbortSignal.any([signal, limit]) : limit,
    rest() {
      const waitedMs = Math.round(performance.now() - begun);
      return waitedMs < shortMs ? {} : { timeoutMs: Math.max(1, timeoutMs - waitedMs) };
    },
  };
}

/** The time limit's error does not mention waits that are shorter than this. In milliseconds. */
const shortMs = 100;

/** The maximum delay of a timer, in milliseconds. */
const maxTimerMs = 2_147_483_647;
