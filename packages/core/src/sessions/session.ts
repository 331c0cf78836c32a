import {
  type AgentSession,
  addToTotals,
  type Compaction,
  type EventDraft,
  emptyTranscript,
  type HistoryMessage,
  InvalidRequestError,
  type LoopRequest,
  noTotals,
  omitUndefined,
  type RunEvent,
  reduceTranscript,
  type SendOptions,
  type SessionRequest,
  type SessionTotals,
  sessionAnswers,
  transcriptToHistory,
} from "@bridle/protocol";
import { createMemoryPermissions } from "../approvals/memory-permissions.ts";
import {
  checkCompactAt,
  measureContext,
  modelKey,
  nothingMeasured,
  projectContextUsage,
} from "../run/context-usage.ts";
import type { StartedRun } from "../run/engine.ts";
import type { HistoryReplacement, RunPlan, SessionPart } from "../run/run-plan.ts";
import type { RunPlanner } from "../run/run-request.ts";
import { newSessionId } from "../system/ids.ts";
import { checkHistory } from "./check-history.ts";
import { type Compact, createCompact, defaultCompaction } from "./compact.ts";
import { type LateAnswerServices, settleOrphaned } from "./late-answers.ts";
import { checkSessionId } from "./session-id.ts";
import type { TurnTaking } from "./turn-taking.ts";
import { upToStep } from "./up-to-step.ts";
import { withoutDeltas } from "./without-deltas.ts";

export interface SessionServices extends LateAnswerServices {
  planner: RunPlanner;
  /** The backend's id. */
  backend: string;
  turns: TurnTaking;
  begin(plan: RunPlan): StartedRun;
  /** Releases what the host holds for the session's next run. */
  leave(session: string): Promise<void>;
}

/** Throws InvalidRequestError for an invalid id, and for a `compactAt` that is not a share. */
export function createAgentSession(request: SessionRequest, services: SessionServices): AgentSession {
  return new Session(checkSessionId(request.id ?? newSessionId()), request, services);
}

/**
 * A conversation of several runs. Its state is derived from its logged events, so it continues after a restart, and on
 * any backend, with the same history.
 */
class Session implements AgentSession {
  readonly id: string;
  readonly #request: SessionRequest;
  readonly #services: SessionServices;
  readonly #compact: Compact;
  readonly #compactAt: number;
  readonly #approvals: RunEvent[] = [];
  readonly #earlierResults = new Map<string, () => string | undefined>();
  #transcript = emptyTranscript;
  #totals = noTotals;
  #usage = nothingMeasured;
  /** The number of the newest event that was read. */
  #lastSeq = 0;
  /** Logged with the next run. */
  #replacement: HistoryReplacement | undefined;
  #current: StartedRun | undefined;
  #isClosed = false;

  constructor(id: string, request: SessionRequest, services: SessionServices, replacement?: HistoryReplacement) {
    this.id = id;
    this.#request = request;
    this.#services = services;
    this.#replacement = replacement;
    this.#compactAt = checkCompactAt(request.compactAt);
    this.#compact = createCompact(request, services, id);
  }

  get totals(): SessionTotals {
    this.#readNewEvents();
    return this.#totals;
  }

  get steps(): number {
    this.#readNewEvents();
    return this.#transcript.steps;
  }

  async send(prompt: SendPrompt, { whenBusy = "wait", ...options }: SendOptions = {}): Promise<StartedRun> {
    const { turns, begin } = this.#services;
    const done = await turns.take(this.id, whenBusy, options.signal);
    try {
      if (this.#isClosed) throw new InvalidRequestError(`The session ${this.id} is closed. Open it again to continue.`);
      const late = await settleOrphaned(this.id, this.#services);
      const run = begin(this.#plan(prompt, options, late));
      this.#current = run;
      this.#replacement = undefined;
      void run.result.then(done); // a result never rejects
      return run;
    } catch (error) {
      done();
      throw error;
    }
  }

  async fork({ atStep }: { atStep?: number | undefined } = {}): Promise<AgentSession> {
    this.#readNewEvents();
    const messages = atStep === undefined ? this.history() : transcriptToHistory(upToStep(this.#transcript, atStep));
    const replacement: HistoryReplacement = { reason: "forked", from: this.id, messages };
    return new Session(newSessionId(), this.#request, this.#services, replacement);
  }

  history(): readonly HistoryMessage[] {
    this.#readNewEvents();
    return this.#replacement?.messages ?? transcriptToHistory(this.#transcript);
  }

  edit(messages: readonly HistoryMessage[]): void {
    this.#replacement = { reason: "edited", messages: checkHistory(messages) };
  }

  async compact(strategy: Exclude<Compaction, "none">): Promise<boolean> {
    const shorter = await this.#compact(strategy, this.history());
    if (shorter) this.#replacement = shorter;
    return shorter !== undefined;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#current?.stop("the session was closed");
    await this.#current?.released;
    await this.#services.leave(this.id);
  }

  /** Other processes may have added events meanwhile. */
  #readNewEvents(): void {
    const { eventLog } = this.#services;
    for (const event of withoutDeltas(eventLog, this.id, this.#lastSeq + 1)) {
      this.#transcript = reduceTranscript(this.#transcript, event);
      this.#totals = addToTotals(this.#totals, event);
      this.#usage = measureContext(this.#usage, event);
      if (event.type === "tool.finished" && event.artifact !== undefined) {
        const { callId, artifact } = event;
        this.#earlierResults.set(callId, () => eventLog.artifact(artifact));
      }
      if (event.type === "approval.requested" || event.type === "approval.decided") this.#approvals.push(event);
      this.#lastSeq = event.seq;
    }
  }

  #plan(prompt: SendPrompt, options: Omit<SendOptions, "whenBusy">, late: readonly EventDraft[]): RunPlan {
    const { planner, backend } = this.#services;
    const { compaction = defaultCompaction } = this.#request;
    this.#readNewEvents();
    const pending = this.#asEvents(late);
    const part = this.#part(late, pending);
    const plan = planner.planLoop(this.#loopRequest(prompt, options), part);
    const asked = modelKey(backend, plan.spec.model);
    const next = { asked, prompt: [plan.input], compactAt: this.#compactAt };
    const contextUsage = this.#replacement ? undefined : projectContextUsage(this.#usage, next);
    return {
      ...plan,
      session: { ...part, ...omitUndefined({ contextUsage }) },
      permissions: createMemoryPermissions(sessionAnswers([...this.#approvals, ...pending])),
      compact: (history, scope) => this.#compact(compaction, history, scope),
    };
  }

  #loopRequest(prompt: SendPrompt, options: Omit<SendOptions, "whenBusy">): LoopRequest {
    const { id: _id, compactAt: _compactAt, ...shared } = this.#request;
    const labels = { ...shared.labels, ...options.labels };
    return { ...shared, ...options, prompt, ...(Object.keys(labels).length > 0 && { labels }) };
  }

  #part(late: readonly EventDraft[], pending: readonly RunEvent[]): SessionPart {
    const replacement = this.#replacement;
    return {
      sessionId: this.id,
      history: replacement?.messages ?? transcriptToHistory(pending.reduce(reduceTranscript, this.#transcript)),
      earlierResults: new Map(this.#earlierResults),
      ...omitUndefined({ replacement }),
      ...(late.length > 0 && { late }),
    };
  }

  /** Drafts as the events that they will be once the next run has logged them. */
  #asEvents(drafts: readonly EventDraft[]): RunEvent[] {
    const time = this.#services.now();
    const scope = { time, runId: "", sessionId: this.id };
    return drafts.map((draft, index) => ({ ...draft, ...scope, seq: this.#lastSeq + 1 + index }));
  }
}

type SendPrompt = Parameters<AgentSession["send"]>[0];
