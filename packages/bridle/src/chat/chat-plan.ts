import type { PolicyModeName } from "@bridle/core";
import type { AuthMode, BackendName } from "@bridle/project";
import type { AnyTool } from "@bridle/protocol";

/** Everything that a chat on the command line is made of. */
export interface ChatPlan {
  /** An agent's file; without one the project's model is talked to. */
  readonly agent?: string;
  readonly tools: readonly AnyTool[];
  readonly system?: string;
  readonly role?: string;
  readonly model?: string;
  /** The file of the rules over the calls of tools. */
  readonly policy?: string;
  readonly mode?: PolicyModeName;
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
  readonly approvals?: "wait" | "deny";
  /** Events as JSON, one a line. */
  readonly json: boolean;
  /** A session on record to go on with: its id, the newest, or one that is chosen from a list. */
  readonly resume?: { readonly id: string } | "newest" | "choose";
}
