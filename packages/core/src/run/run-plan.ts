import type {
  ConversationSpec,
  EventDraft,
  EventOf,
  HistoryMessage,
  Message,
  Operation,
  PermissionStore,
  Policy,
  TurnEnd,
} from "@bridle/protocol";
import type { WholeResults } from "../tools/read-result.ts";
import type { Toolbox } from "../tools/toolbox.ts";
import type { Crowding } from "./context-usage.ts";

/** One run, checked and resolved: nothing in it can be wrong any more. */
export interface RunPlan {
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
  /** What the run is without, told as it begins. */
  notices: readonly { code: string; message: string }[];
  maxTotalTokens?: number;
  /** Over the runtime's. */
  policy?: Policy;
  /** Remembered answers of the session that the run is of; without one they end with the run. */
  permissions?: PermissionStore;
  /** Of the session that the run is of. */
  session?: SessionPart;
  /**
   * A shorter history in the place of one that does not fit, or undefined where none is to be had: of what went before
   * the run, or of what is `within` it, too. May put a question to a model; rejects with a BridleError.
   */
  condense?(whole: readonly HistoryMessage[], place: "before" | "within"): Promise<HistoryReplacement | undefined>;
  onStep?(step: EventOf<"step.finished">): unknown;
  /** What follows a turn that ended naturally: the end, with an object or none, or another message to the model. */
  follow(end: TurnEnd, text: string): Promise<FollowUp>;
}

/** Messages that take the place of a history, and why. */
export type HistoryReplacement = Omit<Extract<EventDraft, { type: "history.replaced" }>, "type">;

/** What a run is told of the session that it is of. */
export interface SessionPart {
  sessionId: string;
  /** What the conversation goes on from; `spec.history` begins with it. */
  history: readonly HistoryMessage[];
  /** Results that were cut, of which the model was told how to read on. */
  earlierResults: WholeResults;
  /** What became of questions that the run before left open; goes on record first. `history` tells of it. */
  late?: readonly EventDraft[];
  /** Goes on record before the first message: `history` is not what the events before tell of. */
  replacement?: HistoryReplacement;
  /** The next prompt would come too near to the end of the model's window: the history is made shorter first. */
  crowding?: Crowding;
}

type FollowUp = { done: true; object?: unknown } | { done: false; ask: string };
