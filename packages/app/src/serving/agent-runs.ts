import { newRunId, newSessionId, ProcessEnding } from "@bridle/core";
import { type AgentRun, type Approver, type Compaction, type EventLog, omitUndefined } from "@bridle/protocol";
import { z } from "zod";
import { readRunStart } from "../events/run-start.ts";
import type { AgentRunners, RunnerInUse } from "./agent-runners.ts";
import { compactSession } from "./compact-session.ts";
import type { RepeatedRequests } from "./repeated-requests.ts";
import type { RunShare } from "./run-slots.ts";
import { ServingEndedError } from "./serving-errors.ts";
import type { ServingState } from "./serving-state.ts";
import { SessionRuns } from "./session-runs.ts";
import type { RunToStart, ServedAgent, ServedAgents, ServedRun, ServedRuns } from "./workspace.ts";

export interface AgentRunsOptions {
  readonly agents: ServedAgents;
  readonly runners: AgentRunners;
  readonly eventLog: Pick<EventLog, "follow" | "read" | "openWriter">;
  readonly state: ServingState;
  readonly requests: RepeatedRequests;
  /** The slots for runs of this workspace. */
  readonly share: RunShare;
}

const planSchema = z.object({ runId: z.string(), sessionId: z.string() });
const resultSchema = planSchema.extend({ firstSeq: z.int() });

/** The ids of a run and of its session. They are fixed before the run begins. */
type RunIds = Readonly<z.infer<typeof planSchema>>;

/** A run that occupies its session until `leave` is called. */
interface Entered extends RunIds {
  leave(): void;
}

/** How long to wait for a run's first event in the log after the run has ended, in milliseconds. */
const unloggedMs = 1000;

/** How long to wait for stopped runs when the workspace closes, in milliseconds. */
const stopMs = 1000;

const denyQuestions: Approver = () => ({ decision: "deny", message: "Nobody can be asked here." });

/** The runs of a workspace. They continue even if the client that started them disconnects. */
export class AgentRuns implements ServedRuns {
  readonly #options: AgentRunsOptions;
  readonly #inProgress = new Map<string, AgentRun>();
  /** Stops every run that begins, waits or is in progress. */
  readonly #stops = new Map<AbortController, "begins" | "begun">();
  readonly #sessions: SessionRuns;
  #isEnded = false;

  constructor(options: AgentRunsOptions) {
    this.#options = options;
    this.#sessions = new SessionRuns(options.share);
  }

  async start(run: RunToStart): Promise<ServedRun> {
    const plan = { runId: newRunId(), sessionId: run.session ?? newSessionId() };
    if (run.key === undefined) return this.#start(run, plan);
    return this.#options.requests.once("run", run.key, {
      plan,
      planSchema,
      resultSchema,
      find: (begun) => this.#find(begun),
      begin: (begun) => this.#start(run, begun),
    });
  }

  stop(runId: string, reason: string): boolean {
    this.#inProgress.get(runId)?.stop(reason);
    return this.has(runId);
  }

  async compact(sessionId: string, strategy: Exclude<Compaction, "none">): Promise<boolean> {
    if (this.#isEnded) throw new ServingEndedError();
    const leave = this.#sessions.enter(sessionId, (await this.#isEnding(sessionId)) ? "wait" : "fail");
    try {
      const inUse = await this.#options.runners.acquire(await this.#chooseAgent(sessionId), undefined);
      try {
        return await compactSession(sessionId, strategy, inUse, this.#options.eventLog);
      } finally {
        inUse.release();
      }
    } finally {
      leave();
    }
  }

  has(runId: string): boolean {
    return this.#inProgress.has(runId);
  }

  /** Whether a run begins, waits or is in progress. */
  get isInUse(): boolean {
    return this.#sessions.isInUse;
  }

  /** Starts no more runs. Waits for the runs in progress, and stops those that are left at the end of that time. */
  async end(graceMs: number): Promise<void> {
    this.#isEnded = true;
    for (const [stop, state] of this.#stops) if (state === "begins") stop.abort();
    await this.#sessions.whenNoneWithin(graceMs);
    for (const stop of this.#stops.keys()) stop.abort(new ProcessEnding("the server was shut down"));
    await this.#sessions.whenNoneWithin(stopMs);
  }

  async #start(run: RunToStart, plan: RunIds): Promise<ServedRun> {
    const { runners, state } = this.#options;
    const { sessionId } = plan;
    if (this.#isEnded) throw new ServingEndedError();
    await run.check?.();
    const note = state.session(sessionId);
    const agent = await this.#chooseAgent(sessionId, run.agent);
    const whenBusy = (await this.#isEnding(sessionId)) ? "wait" : (run.whenBusy ?? "fail");
    const leave = this.#sessions.enter(sessionId, whenBusy);
    try {
      const inUse = await runners.acquire(agent, run.mode);
      const labels = { ...note?.labels, ...run.labels };
      const started = await this.#begin({ ...run, whenBusy, labels }, inUse, { ...plan, leave });
      state.beginSession(sessionId, agent.id);
      return started;
    } catch (error) {
      leave();
      throw error;
    }
  }

  async #chooseAgent(sessionId: string, named?: string): Promise<ServedAgent> {
    const { agents, state } = this.#options;
    return agents.choose(named ?? state.session(sessionId)?.agent ?? (await this.#agentOf(sessionId)));
  }

  /** Returns the agent of a session that another process began, such as a chat: the first agent with the recorded name. */
  async #agentOf(sessionId: string): Promise<string | undefined> {
    const started = await readRunStart(this.#options.eventLog, { sessionId });
    return this.#options.agents.list().find(({ name }) => name === started?.labels?.agent)?.id;
  }

  /** Finds a run that a process began before it died. */
  async #find({ runId, sessionId }: RunIds): Promise<ServedRun | undefined> {
    const { eventLog, state } = this.#options;
    const [first] = await eventLog.read({ runId, limit: 1 });
    if (first === undefined) return undefined;
    const note = state.session(sessionId);
    if (note) state.beginSession(sessionId, note.agent);
    return { runId, sessionId, firstSeq: first.seq };
  }

  /**
   * Whether the newest run of a session has logged its end. A client that has seen the end may send the next prompt at once, even
   * though the run still holds the session for a moment, in this or another process.
   */
  async #isEnding(sessionId: string): Promise<boolean> {
    const [newest] = await this.#options.eventLog.read({ sessionId, last: 1 });
    return newest?.type === "run.finished";
  }

  async #begin(run: RunToStart, inUse: RunnerInUse, { leave, ...ids }: Entered): Promise<ServedRun> {
    const sent = await this.#send(run, inUse, ids).catch((error: unknown) => {
      inUse.release();
      throw error;
    });
    this.#inProgress.set(sent.id, sent);
    const watching = this.#watchQuestions(sent, ids.sessionId);
    void sent.result.then(async () => {
      await watching;
      this.#inProgress.delete(sent.id);
      leave();
      inUse.release();
    });
    return { ...ids, firstSeq: await this.#firstSeq(sent) };
  }

  /** Releases the slot of a run while the run waits for a user. Never rejects, because reading a run's events does not. */
  async #watchQuestions(run: AgentRun, sessionId: string): Promise<void> {
    const open = new Set<string>();
    for await (const event of run) {
      if (event.type === "approval.requested") open.add(event.approvalId);
      else if (event.type === "approval.decided") open.delete(event.approvalId);
      else continue;
      if (open.size > 0) this.#sessions.rest(sessionId);
      else this.#sessions.wake(sessionId);
    }
    this.#sessions.wake(sessionId); // frees the session for its next run
  }

  async #send(run: RunToStart, inUse: RunnerInUse, { runId, sessionId }: RunIds): Promise<AgentRun> {
    const { history, prompt, labels, deniesQuestions, whenBusy = "fail" } = run;
    const { limits, request } = await inUse.opened;
    if (this.#isEnded) throw new ServingEndedError();
    const session = await inUse.openSession(sessionId, run.model);
    if (history !== undefined) session.edit(history);
    const stop = new AbortController();
    this.#stops.set(stop, "begins");
    const forget = () => this.#stops.delete(stop);
    try {
      const sent = await session.send(prompt, {
        ...limits,
        ...omitUndefined({ stepBudget: min(run.steps, request.stepBudget) }),
        ...omitUndefined({ timeoutMs: min(run.timeoutMs, limits.timeoutMs), labels: labels && { ...labels } }),
        ...(deniesQuestions && { approve: denyQuestions }),
        runId,
        whenBusy,
        signal: stop.signal,
      });
      this.#stops.set(stop, "begun");
      void sent.result.then(forget);
      return sent;
    } catch (error) {
      forget();
      throw this.#isEnded ? new ServingEndedError() : error;
    }
  }

  /** Waits until the run is in the event log, where other processes find it. Throws the error of a run that cannot be logged. */
  async #firstSeq(run: AgentRun): Promise<number> {
    const given = new AbortController();
    let timer: NodeJS.Timeout | undefined;
    void run.result.then(() => {
      timer = globalThis.setTimeout(() => given.abort(), unloggedMs);
    });
    for await (const { seq } of this.#options.eventLog.follow({ runId: run.id }, given.signal)) {
      clearTimeout(timer);
      return seq;
    }
    throw (await run.result).error ?? new Error("The run was not logged.");
  }
}

function min(one: number | undefined, other: number | undefined): number | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return Math.min(one, other);
}
