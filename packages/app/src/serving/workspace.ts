/** The workspace of one user of a server. HTTP, ACP and MCP are interfaces to it. */
import type { PolicyModeName } from "@bridle/core";
import type { Compaction, HistoryMessage, Prompt, RunEvent } from "@bridle/protocol";
import type { z } from "zod";
import type { ProjectContext } from "../context/project-context.ts";
import type { ProjectEventLog } from "../events/event-log.ts";
import type { RequestKey, SessionNote, UnbegunQuery } from "./serving-state.ts";

/** Everything of one user: one runtime for each agent that is in use, one event log. */
export interface Workspace {
  /** The context of the use cases of this package, such as `listSessions` and `viewSession`, with the rules that apply now. */
  readonly context: ProjectContext;
  readonly eventLog: ProjectEventLog;
  readonly agents: ServedAgents;
  readonly sessions: ServedSessions;
  readonly runs: ServedRuns;
  readonly events: EventPages;
  readonly jobs: ServedJobs;
  /**
   * Makes requests with the same key do their work once, and get the same result for 24 hours. Throws KeyReusedError if the request
   * differs. If the process dies before the result is stored, the next request does the work again.
   */
  once<Result>(key: RequestKey | undefined, work: OnceWork<Result>): Promise<Result>;
  /**
   * Makes new runs use the current rules of `bridle.yaml`, including runs of the other users of the server. Rules that allow calls
   * without a previously required question take effect at the next start, because a user has to trust them. Throws ConfigError.
   */
  adoptRules(): Promise<void>;
  /**
   * Registers a callback that closes resources of an interface. Called when the workspace is closed, before its event log is
   * closed.
   */
  onClose(close: () => Promise<void>): void;
  /** The file of the rehearsal script that replaces every model, relative to the working directory. */
  readonly rehearse?: string | undefined;
  /** False: every call of a tool is refused. */
  readonly runsTools: boolean;
}

export interface OnceWork<Result> {
  /** The kind of work, such as `index`. The same key with another kind is a different key. */
  readonly kind: string;
  readonly resultSchema: z.ZodType<Result>;
  begin(): Promise<Result>;
}

export interface ServedAgent {
  /** Its name in addresses. */
  readonly id: string;
  /** Its name in its file. */
  readonly name: string;
  readonly description: string | undefined;
  /** Its file, relative to the project. Undefined for the project's model. */
  readonly file: string | undefined;
}

export interface ServedAgents {
  list(): readonly ServedAgent[];
  /** Throws NotServedError with the nearest name. */
  get(id: string): ServedAgent;
  /** Without an id, the only agent. Throws InvalidRequestError if there are several. */
  choose(id: string | undefined): ServedAgent;
}

export interface RunToStart {
  /** The id of the agent. Default: the agent of the session, else the only one. */
  readonly agent?: string | undefined;
  /** The session, which begins if there is none. Default: a new id. */
  readonly session?: string | undefined;
  readonly prompt: Prompt;
  /** Replaces the session's history before the run. For protocols with clients that send the whole conversation. */
  readonly history?: readonly HistoryMessage[] | undefined;
  readonly labels?: Readonly<Record<string, string>> | undefined;
  readonly timeoutMs?: number | undefined;
  /**
   * The policy mode, instead of the mode of the files. For interfaces that the user started, such as an editor's process, and for
   * modes that `serve.allow` lists. A runner is open for each agent and mode in use.
   */
  readonly mode?: PolicyModeName | undefined;
  /** Replaces the model of the agent. */
  readonly model?: string | undefined;
  /** The maximum number of model responses. The agent's own limit still applies. */
  readonly steps?: number | undefined;
  /** `wait`: another run of the session ends first. Default: `fail`, which throws StoreBusyError with its `holder`. */
  readonly whenBusy?: "wait" | "fail" | undefined;
  /** Denies every question instead of waiting for an answer. Default: false. */
  readonly deniesQuestions?: boolean | undefined;
  /** Called before a run starts, but not if its key has already started one. Throw to prevent the run. */
  readonly check?: (() => Promise<void>) | undefined;
  /** The same key with the same request returns the same run for 24 hours. With another request: KeyReusedError. */
  readonly key?: RequestKey | undefined;
}

export interface SessionToCreate {
  /** The id of the agent. Default: the only one. */
  readonly agent?: string | undefined;
  /** Default: a new id. */
  readonly id?: string | undefined;
  /** Labels of all its runs. */
  readonly labels?: Readonly<Record<string, string>> | undefined;
  readonly key?: RequestKey | undefined;
}

/** Sessions that were created before their first run, with their agents. All data of other sessions is in the event log. */
export interface ServedSessions {
  /**
   * Throws SessionExistsError, TooManySessionsError, NotServedError for the agent, and InvalidRequestError for an id that cannot be
   * a session's.
   */
  create(session: SessionToCreate): Promise<SessionNote>;
  /** Returns the stored data about a session that is not in its events. */
  find(id: string): SessionNote | undefined;
  /** The known agents of these sessions. */
  agentsOf(ids: readonly string[]): ReadonlyMap<string, string>;
  /**
   * A page of the sessions that have had no run here, newest first. It can include sessions that have been run by another process.
   * Sessions without a run are removed after a month.
   */
  withoutRun(query: UnbegunQuery): readonly SessionNote[];
  /** Forgets a session. Its events are removed with `removeSessions`. */
  remove(id: string): void;
}

export interface ServedRun {
  readonly runId: string;
  readonly sessionId: string;
  /** The number of the first event of the run in its session. */
  readonly firstSeq: number;
}

export interface ServedRuns {
  /** Resolves when the run is in the event log. It belongs to the server: the caller may leave. */
  start(run: RunToStart): Promise<ServedRun>;
  /** False if this process has no such run in progress. */
  stop(runId: string, reason: string): boolean;
  /**
   * Replaces the history of a session by a shorter one, which is in the event log when this resolves. False if it cannot be shorter.
   * Throws StoreBusyError while a run is in progress in it.
   */
  compact(sessionId: string, strategy: Exclude<Compaction, "none">): Promise<boolean>;
  /** Whether this process has such a run in progress. */
  has(runId: string): boolean;
}

export interface BackgroundJob {
  /** How many runs it has in progress at once. */
  readonly places: number;
  /** Ends it soon. Contract: does not throw. */
  stop(): void;
}

export interface ServedJobs {
  /**
   * Counts a job as in progress until the returned function is called: it takes places for runs, keeps the workspace open, and is
   * stopped when the server ends. Throws TooManyRunsError and ServingEndedError.
   */
  begin(job: BackgroundJob): () => void;
  /** Has the end of the workspace wait until the returned function is called, such as for the reply to a call. It takes no place. */
  join(): () => void;
}

export interface EventPages {
  /**
   * Yields the events of a session after a number, in pages of at most 200, and then new ones as they are written, including those
   * of other processes. Reads the next page only when you ask for it. Ends when the signal is aborted. Throws SessionRemovedError
   * when the session is removed, so that its events are never continued by those of another session with the same id.
   */
  follow(sessionId: string, after: number, signal: AbortSignal): AsyncIterable<readonly RunEvent[]>;
}
