/** The objects of A2A 1.0 that Bridle sends, in the JSON format of https://a2a-protocol.org/latest/specification. */

export const a2aVersion = "1.0";

export type A2aState =
  | "TASK_STATE_WORKING"
  | "TASK_STATE_INPUT_REQUIRED"
  | "TASK_STATE_COMPLETED"
  | "TASK_STATE_FAILED"
  | "TASK_STATE_CANCELED";

interface TextOrData {
  readonly text?: string;
  readonly data?: unknown;
}

export interface A2aMessage {
  readonly messageId: string;
  readonly role: "ROLE_USER" | "ROLE_AGENT";
  readonly contextId: string;
  readonly taskId: string;
  readonly parts: readonly TextOrData[];
}

export interface A2aStatus {
  readonly state: A2aState;
  /** The time of the status, in ISO 8601. */
  readonly timestamp: string;
  /** The agent's question, or the reason for a failure. */
  readonly message?: A2aMessage;
}

export interface A2aArtifact {
  readonly artifactId: string;
  readonly parts: readonly TextOrData[];
}

/** Additional data from Bridle: usage, tool calls, and the reason why a run ended. */
type A2aMetadata = Readonly<{ bridle: Readonly<Record<string, unknown>> }>;

/** A task is a run, and its context is a session. */
export interface A2aTask {
  readonly id: string;
  readonly contextId: string;
  readonly status: A2aStatus;
  readonly artifacts: readonly A2aArtifact[];
  readonly history: readonly A2aMessage[];
  readonly metadata?: A2aMetadata;
}

interface TaskPlace {
  readonly taskId: string;
  readonly contextId: string;
}

/** One event of a stream. */
export type A2aUpdate =
  | { readonly task: A2aTask }
  | { readonly statusUpdate: TaskPlace & { readonly status: A2aStatus; readonly metadata?: A2aMetadata } }
  | {
      readonly artifactUpdate: TaskPlace & {
        readonly artifact: A2aArtifact;
        /** Whether to append the parts to the artifact. If missing, the parts replace its content. */
        readonly append?: true;
        readonly lastChunk?: true;
      };
    };

const ended: ReadonlySet<A2aState> = new Set(["TASK_STATE_COMPLETED", "TASK_STATE_FAILED", "TASK_STATE_CANCELED"]);

/** Whether a task can no longer change. */
export function isTerminal(state: A2aState): boolean {
  return ended.has(state);
}
