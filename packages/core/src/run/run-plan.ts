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
  /** The id of the run. If missing, an id is generated. */
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
  /** Rules that apply in addition to the runtime's. */
  policy?: Policy;
  /** Answers questions instead of the runtime's approver. */
  approve?: Approver;
  /** The session's remembered answers. Without a session, the run's answers are forgotten at its end. */
  permissions?: PermissionStore;
  /** The session that the run belongs to. */
  session?: SessionPart;
  /**
   * Shortens a history that is too long; undefined if that is impossible. The history consists of the messages before the run, and with
   * `within` also of the run's own messages. May call a model for a summary, which counts for this run. Rejects with a BridleError.
   */
  compact?(
    whole: readonly HistoryMessage[],
    scope: "before" | "within",
    asker: SummaryAsker,
  ): Promise<HistoryReplacement | undefined>;
  /** The run that this one is a summary for. */
  summaryFor?: RunSpending;
  /** The names that rules may contain: all tools that were passed, the host's own tools, and tools of nested runs. */
  knownTools?: readonly string[];
  /** The call that starts the run. */
  parent?: ParentCall;
  /** How many levels of runs its tools may start. */
  maxDepth?: number;
  onStep?(step: EventOf<"step.finished">): unknown;
  /** Decides how to continue after a turn that ended naturally: the end, with or without an object, or another message to the model. */
  follow(end: TurnEnd, text: string): Promise<FollowUp>;
  /** Returns the parsed object of a run that ended naturally. Missing if the request has no schema. */
  object?(): T;
}

/** The run that requests a summary. The summary counts towards that run's budgets and ends with that run. */
export interface SummaryAsker {
  readonly spending: RunSpending;
  readonly signal: AbortSignal;
}

/** Messages that replace a history, and the reason. */
export type HistoryReplacement = Omit<Extract<EventDraft, { type: "history.replaced" }>, "type">;

/** The parts of a run's plan that come from its session. */
export interface SessionPart {
  sessionId: string;
  /** The conversation so far; `spec.history` begins with it. */
  history: readonly HistoryMessage[];
  /** Truncated results that the model may read further. */
  earlierResults: WholeResults;
  /** The outcomes of questions that the previous run left open; logged first. `history` includes them. */
  late?: readonly EventDraft[];
  /** Logged before the first message if `history` replaces the history in the earlier events. */
  replacement?: HistoryReplacement;
  /** The session's stream, which the run closes at its end. Missing if the stream could not be opened; the run then tries again. */
  writer?: EventWriter | undefined;
  /** Called with each event of the run. */
  observe(event: RunEvent): void;
  /** Set if the next prompt would come too close to the end of the context window: the history is compacted first. */
  contextUsage?: ContextUsage;
}

type FollowUp =
  | { done: true; object?: unknown }
  /** `object` is the model's answer if it was not text. */
  | { done: false; ask: string; object?: JsonValue | undefined };
