import type { AgentDefinition } from "@bridle/agent";
import type { PolicyModeName } from "@bridle/core";
import type { AuthMode, BackendName } from "@bridle/project";
import type { AnyTool, JsonSchema } from "@bridle/protocol";
import type { Attachment } from "../attachments/attachment.ts";

/** The common options of runs and chats: an agent or tools, a model, rules and limits. */
export interface AgentPlan {
  /** The agent to run. Without an agent, the project's model runs with `tools` and `system`. */
  readonly agent?: AgentDefinition | undefined;
  readonly tools: readonly AnyTool[];
  /** Files that are sent with the prompt; in a chat, with the first prompt. */
  readonly attachments?: readonly Attachment[] | undefined;
  /** The instructions for the model. */
  readonly system?: string | undefined;
  readonly role?: string | undefined;
  readonly model?: string | undefined;
  /** The file with the rules for tool calls. */
  readonly policy?: string | undefined;
  readonly mode?: PolicyModeName | undefined;
  /** The maximum number of model responses. Default: the agent's limit, or 20. */
  readonly steps?: number | undefined;
  /** The time limit of a run, in seconds. */
  readonly timeout?: number | undefined;
  readonly onUsageLimit?: "wait" | "fail" | undefined;
  /** How long to wait for a usage window, in seconds. */
  readonly maxWait?: number | undefined;
  readonly backend?: BackendName | undefined;
  readonly auth?: AuthMode | undefined;
  /** The file of a rehearsal script. */
  readonly rehearse?: string | undefined;
  /**
   * `wait`: another process answers questions. `deny`: questions are denied. Default: the user is asked in the terminal, if there is one.
   */
  readonly approvals?: "wait" | "deny" | undefined;
}

/** The plan of one run. */
export interface AgentRunPlan extends AgentPlan {
  readonly prompt: string;
  /** The schema of the answer. With a schema, the answer is an object. */
  readonly schema?: SchemaFile | undefined;
  /** The session of the run. Default: the run has no session. */
  readonly sessionId?: string | undefined;
  /** Whether the run is not stored on disk. */
  readonly ephemeral?: boolean | undefined;
}

/** The plan of a chat. */
export interface AgentChatPlan extends AgentPlan {
  /** The id of the session to resume. Default: a new session. */
  readonly sessionId?: string | undefined;
}

/** A JSON Schema, and its file by the name that the user gave. */
export interface SchemaFile {
  readonly file: string;
  readonly schema: JsonSchema;
}

/** Whether the answer is an object and not a string. */
export function answersWithObject({ schema, agent }: Pick<AgentRunPlan, "schema" | "agent">): boolean {
  return schema !== undefined || (agent?.config.response_format ?? undefined) !== undefined;
}
