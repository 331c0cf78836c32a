import type {
  Approver,
  ConversationSpec,
  EventDetail,
  EventDraft,
  EventOf,
  EventWriter,
  HistoryMessage,
  JsonValue,
  Message,
  Operation,
  ParentCall,
  PermissionStore,
  Policy,
  RunEvent,
  TurnEnd,
} from "@bridle/protocol";
import type { WholeResults } from "../tools/read-result.ts";
import type { Toolbox } from "../tools/toolbox.ts";
import type { ContextUsage } from "./context-usage.ts";
import type { RunSpending } from "./nesting/run-spending.ts";

/** One run, checked and resolved. */
export interface RunPlan<T = unknown> {
  /** The id of the run. Missing for a generated one. */
  runId?: string;
  operation: Operation;
  spec: ConversationSpec;
  toolbox: Toolbox;
  /** The messages of the request before the last; `spec.history` ends with them. */
  earlier: readonly Message[];
  input: Message;
  role?: string;
  labels?: Record<string, string>;
  signal?: AbortSignal;
  timeoutMs?: number;
  /** Settings that the run ignores; logged as it begins. */
  notices: readonly { code: string; message: string }[];
  maxTotalTokens?: number;
  /** Additional details in the events. */
  eventDetails?: readonly EventDetail[];
  /** Rules in addition to the runtime's. */
  policy?: Policy;
  /** Answers questions instead of the runtime's approver. */
  approve?: Approver;
  /** Remembered answers of the session; without a session they end with the run. */
  permissions?: PermissionStore;
  /** The session that the run belongs to. */
  session?: SessionPart;
  /**
   * Shortens a history that is too long; undefined if that is impossible. The history consists of the messages before the run, or with
   * `within` also of those in it. May ask a model for a summary, for this run; rejects with a BridleError.
   */
  compact?(
    whole: readonly HistoryMessage[],
    scope: "before" | "within",
    asker: SummaryAsker,
  ): Promise<HistoryReplacement | undefined>;
  /** The run that this one is a summary for. */
  summaryFor?: RunSpending;
  /** The names that rules may have: of all tools that were passed, of the host's own, and of tools of nested runs. */
  knownTools?: readonly string[];
  /** The call that starts the run. */
  parent?: ParentCall;
  /** The levels of runs that its tools may start. */
  maxDepth?: number;
  onStep?(step: EventOf<"step.finished">): unknown;
  /** Decides how to continue after a turn that ended naturally: the end, with or without an object, or another message to the model. */
  follow(end: TurnEnd, text: string): Promise<FollowUp>;
  /** The parsed object of a run that ended naturally. Missing if the request has no schema. */
  object?(): T;
}

/** The run that asks for a summary. The summary counts towards its budgets, and ends with it. */
export interface SummaryAsker {
  readonly spending: RunSpending;
  readonly signal: AbortSignal;
}

/** Messages that replace a history, and the reason. */
export type HistoryReplacement = Omit<Extract<EventDraft, { type: "history.replaced" }>, "type">;

/** The parts of a run that come from its session. */
export interface SessionPart {
  sessionId: string;
  /** The conversation so far; `spec.history` begins with it. */
  history: readonly HistoryMessage[];
  /** Truncated results that the model may read further. */
  earlierResults: WholeResults;
  /** The outcomes of questions that the previous run left open; logged first. `history` includes them. */
  late?: readonly EventDraft[];
  /** Logged before the first message: `history` replaces the history in the earlier events. */
  replacement?: HistoryReplacement;
  /** The stream of the session, which the run closes at its end. Missing if it could not be opened: the run tries again. */
  writer?: EventWriter | undefined;
  /** Called with each event of the run. */
  observe(event: RunEvent): void;
  /** Set if the next prompt would come too close to the end of the context window: the history is compacted first. */
  contextUsage?: ContextUsage;
}

type FollowUp =
  | { done: true; object?: unknown }
  /** `object` is the model's answer if it was not a text. */
  | { done: false; ask: string; object?: JsonValue | undefined };
