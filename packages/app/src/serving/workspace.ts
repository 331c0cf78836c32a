/** The workspace of one server user. HTTP, ACP and MCP are interfaces to it. */
import type { PolicyModeName } from "@bridle/core";
import type { Compaction, HistoryMessage, Prompt, RunEvent } from "@bridle/protocol";
import type { z } from "zod";
import type { ProjectContext } from "../context/project-context.ts";
import type { ProjectEventLog } from "../events/event-log.ts";
import type { RequestKey, SessionNote, UnbegunQuery } from "./serving-state.ts";

/** The resources of one user: one runtime for each agent that is in use, and one event log. */
export interface Workspace {
  /** The context for use cases of this package, such as `listSessions` and `viewSession`, with the rules that apply now. */
  readonly context: ProjectContext;
  readonly eventLog: ProjectEventLog;
  readonly agents: ServedAgents;
  readonly sessions: ServedSessions;
  readonly runs: ServedRuns;
  readonly events: EventPages;
  readonly jobs: ServedJobs;
  /**
   * Does the work of requests with the same key once, and returns the same result for 24 hours. Throws KeyReusedError if the request
   * differs. If the process dies before the result is stored, the next request does the work again.
   */
  once<Result>(key: RequestKey | undefined, work: OnceWork<Result>): Promise<Result>;
  /**
   * Makes new runs use the current rules of `bridle.yaml`, including runs of the other users of the server. Rules that no longer ask about
   * some calls take effect at the next start, because a user has to trust them. Throws ConfigError.
   */
  adoptRules(): Promise<void>;
  /**
   * Registers a callback that closes resources of an interface. Called when the workspace is closed, before its event log is
   * closed.
   */
  onClose(close: () => Promise<void>): void;
  /** The file of the rehearsal script that replaces every model, relative to the working directory. */
  readonly rehearse?: string | undefined;
  /** Whether tools may run. If false, every tool call is refused. */
  readonly runsTools: boolean;
}

export interface OnceWork<Result> {
  /** The kind of work, such as `index`. The same key can be used again for work of another kind. */
  readonly kind: string;
  readonly resultSchema: z.ZodType<Result>;
  begin(): Promise<Result>;
}

export interface ServedAgent {
  /** The agent's name in URLs. */
  readonly id: string;
  /** The agent's name in its file. */
  readonly name: string;
  readonly description: string | undefined;
  /** The agent file, relative to the project. Undefined for the project's model. */
  readonly file: string | undefined;
}

export interface ServedAgents {
  list(): readonly ServedAgent[];
  /** Returns the agent. Throws NotServedError with the nearest name. */
  get(id: string): ServedAgent;
  /** Returns the agent with the id, or the only agent if no id is given. Throws InvalidRequestError if there are several. */
  choose(id: string | undefined): ServedAgent;
}

export interface RunToStart {
  /** The id of the agent. Default: the agent of the session, or else the only agent. */
  readonly agent?: string | undefined;
  /** The session, which is created if it does not exist. Default: a new id. */
  readonly session?: string | undefined;
  readonly prompt: Prompt;
  /** Replaces the session's history before the run. For protocols whose clients send the whole conversation. */
  readonly history?: readonly HistoryMessage[] | undefined;
  readonly labels?: Readonly<Record<string, string>> | undefined;
  readonly timeoutMs?: number | undefined;
  /**
   * The policy mode, instead of the mode in the files. For interfaces that the user started, such as an editor's process, and for modes
   * that `serve.allow` lists. Each agent has one runner for each mode in use.
   */
  readonly mode?: PolicyModeName | undefined;
  /** The model to use instead of the agent's. */
  readonly model?: string | undefined;
  /** The maximum number of model responses. The agent's own limit still applies. */
  readonly steps?: number | undefined;
  /** `wait` waits until another run of the session ends. Default: `fail`, which throws StoreBusyError with its `holder`. */
  readonly whenBusy?: "wait" | "fail" | undefined;
  /** Denies every question instead of waiting for an answer. Default: false. */
  readonly deniesQuestions?: boolean | undefined;
  /** Called before a run starts, but not if a run with this key was already started. Throw to prevent the run. */
  readonly check?: (() => Promise<void>) | undefined;
  /** For 24 hours, the same key with the same request returns the same run. With another request, it throws KeyReusedError. */
  readonly key?: RequestKey | undefined;
}

export interface SessionToCreate {
  /** The id of the agent. Default: the only agent. */
  readonly agent?: string | undefined;
  /** The id of the session. Default: a new id. */
  readonly id?: string | undefined;
  /** The labels of all runs of the session. */
  readonly labels?: Readonly<Record<string, string>> | undefined;
  readonly key?: RequestKey | undefined;
}

/** Sessions that were created before their first run, with their agents. The data of all other sessions is in the event log. */
export interface ServedSessions {
  /**
   * Throws SessionExistsError, TooManySessionsError, NotServedError for the agent, and InvalidRequestError for an id that a session cannot
   * have.
   */
  create(session: SessionToCreate): Promise<SessionNote>;
  /** Returns the stored data about a session that its events do not contain. */
  find(id: string): SessionNote | undefined;
  /** Returns the known agents of these sessions. */
  agentsOf(ids: readonly string[]): ReadonlyMap<string, string>;
  /**
   * Returns a page of the sessions that have had no run here, the newest first. It can include sessions with runs of another process.
   * Sessions without a run are removed after a month.
   */
  withoutRun(query: UnbegunQuery): readonly SessionNote[];
  /** Removes the stored data about a session. `removeSessions` removes its events. */
  remove(id: string): void;
}

export interface ServedRun {
  readonly runId: string;
  readonly sessionId: string;
  /** The number of the first event of the run in its session. */
  readonly firstSeq: number;
}

export interface ServedRuns {
  /** Starts a run. Resolves when the run is in the event log. The server continues the run even if the caller leaves. */
  start(run: RunToStart): Promise<ServedRun>;
  /** Stops a run. False if this process has no such run in progress. */
  stop(runId: string, reason: string): boolean;
  /**
   * Replaces the history of a session with a shorter one, which is in the event log when this resolves. False if the history cannot be
   * shortened. Throws StoreBusyError while a run is in progress in the session.
   */
  compact(sessionId: string, strategy: Exclude<Compaction, "none">): Promise<boolean>;
  /** Whether this process has a run with this id in progress. */
  has(runId: string): boolean;
}

export interface BackgroundJob {
  /** How many runs the job has in progress at once. */
  readonly places: number;
  /** Makes the job end soon. Contract: does not throw. */
  stop(): void;
}

export interface ServedJobs {
  /**
   * Counts a job as in progress until the returned function is called: the job takes slots for runs, keeps the workspace open, and is
   * stopped when the server ends. Throws TooManyRunsError and ServingEndedError.
   */
  begin(job: BackgroundJob): () => void;
  /** Keeps the workspace open until the returned function is called, for example during the response to a call. Takes no slot. */
  join(): () => void;
}

export interface EventPages {
  /**
   * Yields the events of a session after a number, in pages of at most 200, and then new events as they are written, including those of
   * other processes. Reads the next page only when you ask for it. Ends when the signal is aborted. Throws SessionRemovedError when the
   * session is removed, so that its events are never continued by those of another session with the same id.
   */
  follow(sessionId: string, after: number, signal: AbortSignal): AsyncIterable<readonly RunEvent[]>;
}
