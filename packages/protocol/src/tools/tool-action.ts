import type { JsonValue } from "../text/json.ts";

/** An action that a running tool is about to take, for rules and for the user who is asked. */
export interface ToolAction {
  /** The name in rules. */
  readonly tool: string;
  readonly input: JsonValue;
  /** The effect, as plain text. */
  readonly preview?: string | undefined;
}

/** Whether the tool may do it, and if not, why. */
export type ActionDecision = { readonly allow: true } | { readonly allow: false; readonly reply: string };
