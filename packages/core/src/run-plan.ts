import type { ConversationSpec, TurnEnd } from "./backend.ts";
import type { EventOf, Operation } from "./events.ts";
import type { PermissionStore } from "./permissions.ts";
import type { Message } from "./prompt.ts";
import type { Toolbox } from "./toolbox.ts";

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
  maxTotalTokens?: number;
  /** Remembered answers of the session that the run is of; without one they end with the run. */
  permissions?: PermissionStore;
  onStep?(step: EventOf<"step.finished">): unknown;
  /** What follows a turn that ended naturally: the end, with an object or none, or another message to the model. */
  follow(end: TurnEnd, text: string): Promise<FollowUp>;
}

type FollowUp = { done: true; object?: unknown } | { done: false; ask: string };
