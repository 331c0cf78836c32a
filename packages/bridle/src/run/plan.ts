import type { AgentDefinition } from "@bridle/agent";
import type { PolicyModeName } from "@bridle/core";
import type { AuthMode, BackendName } from "@bridle/project";
import type { AnyTool, JsonSchema } from "@bridle/protocol";

/** What goes to standard output: the answer, one event a line, or the result. */
export type Form = "text" | "events" | "json";

/** Everything that a run on the command line is made of. */
export interface RunPlan {
  readonly prompt: string;
  readonly tools: readonly AnyTool[];
  readonly form: Form;
  /** The agent that runs, instead of `tools` and `system`. */
  readonly agent?: AgentDefinition;
  readonly system?: string;
  readonly schema?: SchemaFile;
  /** The file of the rules over the calls of tools. */
  readonly policy?: string;
  readonly mode?: PolicyModeName;
  readonly role?: string;
  readonly model?: string;
  readonly steps?: number;
  /** In seconds. */
  readonly timeout?: number;
  readonly onUsageLimit?: "wait" | "fail";
  /** In seconds. */
  readonly maxWait?: number;
  readonly backend?: BackendName;
  readonly auth?: AuthMode;
  readonly rehearse?: string;
  readonly projectDir?: string;
  readonly namespace?: string;
  /** `wait`: questions wait for an answer from another process, without a terminal too. `deny`: nobody is asked. */
  readonly approvals?: "wait" | "deny";
  /** The session that the run is of. */
  readonly sessionId?: string;
  /** Nothing of the run is kept on disk. */
  readonly ephemeral?: boolean;
}

/** A JSON Schema, and the file as the user named it. */
export interface SchemaFile {
  readonly file: string;
  readonly schema: JsonSchema;
}

/** Whether the answer is an object, and not a text. */
export function isObject({ schema, agent }: Pick<RunPlan, "schema" | "agent">): boolean {
  return schema !== undefined || agent?.responseFormat !== undefined;
}
