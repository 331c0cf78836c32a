import { newSessionId } from "@bridle/core";
import {
  type AgentRun,
  type Approver,
  type EventLog,
  InvalidRequestError,
  omitUndefined,
  StoreBusyError,
} from "@bridle/protocol";
import type { AgentRunners, RunnerInUse } from "./agent-runners.ts";
import { ServingEndedError, TooManyRunsError } from "./serving-errors.ts";
import type { RunToStart, ServedAgents, ServedRuns, StartedRun } from "./workspace.ts";

export interface AgentRunsOptions {
  readonly agents: ServedAgents;
  readonly runners: AgentRunners;
  readonly eventLog: Pick<EventLog, "follow" | "read">;
  /** The most runs in progress at once. */
  readonly mostRuns: number;
}

/** A run counts as under way in its session until `leave` is called. */
interface Entered {
  readonly sessionId: string;
  leave(): void;
}

/** Milliseconds after the end of a run in which its first event must be in the log. */
const unloggedMs = 1000;

const denyQuestions: Approver = () => ({ decision: "deny", message: "Nobody can be asked here." });

/** The runs of a workspace. They belong to it, and not to whoever started them. */
export class AgentRuns implements ServedRuns {
  readonly #options: AgentRunsOptions;
  readonly #inProgress = new Map<string, AgentRun>();
  /** Those that have not begun, because another run of their session is in progress. */
  readonly #waiting = new Set<AbortController>();
  /** The number of runs of each session that begin, wait or are in progress. */
  readonly #bySession = new Map<string, number>();
  #isEnded = false;

  constructor(options: AgentRunsOptions) {
    this.#options = options;
  }

  async start(run: RunToStart): Promise<StartedRun> {
    const { agents, mostRuns } = this.#options;
    if (this.#isEnded) throw new ServingEndedError();
    if (this.#count >= mostRuns) throw new TooManyRunsError(mostRuns);
    const agent = run.agent === undefined ? this.#onlyAgent() : agents.get(run.agent);
    const sessionId = run.session ?? newSessionId();
    const whenBusy = (await this.#isEnding(sessionId)) ? "wait" : (run.whenBusy ?? "fail");
    const leave = this.#enter(sessionId, whenBusy);
    try {
      const inUse = await this.#options.runners.acquire(agent, run.mode);
      return await this.#begin({ ...run, whenBusy }, inUse, { sessionId, leave });
    } catch (error) {
      leave();
      throw error;
    }
  }

  stop(runId: string, reason: string): boolean {
    this.#inProgress.get(runId)?.stop(reason);
    return this.has(runId);
  }

  has(runId: string): boolean {
    return this.#inProgress.has(runId);
  }

  /** Starts nothing from now on. Waits for the runs in progress, and stops them when the time is over. */
  async end(graceMs: number): Promise<void> {
    this.#isEnded = true;
    for (const waiting of this.#waiting) waiting.abort(new ServingEndedError());
    const over = Promise.withResolvers<void>();
    const timer = setTimeout(over.resolve, graceMs);
    const ended = Promise.all([...this.#inProgress.values()].map(({ result }) => result));
    await Promise.race([ended, over.promise]);
    clearTimeout(timer);
    for (const run of this.#inProgress.values()) run.stop("the server was shut down");
    await ended;
  }

  get #count(): number {
    return [...this.#bySession.values()].reduce((sum, count) => sum + count, 0);
  }

  /** Whether the run of a session has logged its end: who has seen it may send the next prompt at once. */
  async #isEnding(sessionId: string): Promise<boolean> {
    if (!this.#bySession.has(sessionId)) return false;
    const [newest] = await this.#options.eventLog.read({ sessionId, last: 1 });
    return newest?.type === "run.finished";
  }

  /** Counts a run of a session until the returned function is called. */
  #enter(sessionId: string, whenBusy: "wait" | "fail"): () => void {
    const others = this.#bySession.get(sessionId) ?? 0;
    if (others > 0 && whenBusy === "fail") throw busyHere(sessionId);
    this.#bySession.set(sessionId, others + 1);
    return () => {
      const left = (this.#bySession.get(sessionId) ?? 1) - 1;
      if (left > 0) this.#bySession.set(sessionId, left);
      else this.#bySession.delete(sessionId);
    };
  }

  #onlyAgent() {
    const [agent, ...others] = this.#options.agents.list();
    if (agent !== undefined && others.length === 0) return agent;
    const ids = this.#options.agents.list().map(({ id }) => id);
    throw new InvalidRequestError(`Name the agent of the run. Served: ${ids.join(", ")}.`);
  }

  async #begin(run: RunToStart, inUse: RunnerInUse, { sessionId, leave }: Entered): Promise<StartedRun> {
    const sent = await this.#send(run, inUse, sessionId).catch((error: unknown) => {
      inUse.release();
      throw error;
    });
    this.#inProgress.set(sent.id, sent);
    void sent.result.then(() => {
      this.#inProgress.delete(sent.id);
      leave();
      inUse.release();
    });
    return { runId: sent.id, sessionId, firstSeq: await this.#firstSeq(sent) };
  }

  async #send(run: RunToStart, inUse: RunnerInUse, sessionId: string): Promise<AgentRun> {
    const { history, prompt, labels, deniesQuestions, whenBusy = "fail" } = run;
    const { limits } = await inUse.opened;
    const session = await (history === undefined ? inUse.session(sessionId) : inUse.newSession(sessionId));
    if (history !== undefined) session.edit(history);
    const waiting = new AbortController();
    this.#waiting.add(waiting);
    try {
      return await session.send(prompt, {
        ...limits,
        ...omitUndefined({ timeoutMs: least(run.timeoutMs, limits.timeoutMs), labels: labels && { ...labels } }),
        ...(deniesQuestions && { approve: denyQuestions }),
        ...{ whenBusy, signal: waiting.signal },
      });
    } finally {
      this.#waiting.delete(waiting);
    }
  }

  /** Waits until the run is in the event log, where all others find it. Throws the error of a run that cannot be logged. */
  async #firstSeq(run: AgentRun): Promise<number> {
    const given = new AbortController();
    let timer: NodeJS.Timeout | undefined;
    void run.result.then(() => {
      timer = setTimeout(() => given.abort(), unloggedMs);
    });
    for await (const { seq } of this.#options.eventLog.follow({ runId: run.id }, given.signal)) {
      clearTimeout(timer);
      return seq;
    }
    throw (await run.result).error ?? new Error("The run was not logged.");
  }
}

function busyHere(sessionId: string): StoreBusyError {
  const message = `The session ${sessionId} has a run in progress in this server. Wait for its end, or stop it.`;
  return new StoreBusyError(message, sessionId, { holder: "this server" });
}

function least(one: number | undefined, other: number | undefined): number | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return Math.min(one, other);
}
