import type { JsonValue } from "../text/json.ts";

/** An action that a running tool is about to take, for rules and for the user who is asked. */
export interface ToolAction {
  /** The name that rules use for the action. */
  readonly tool: string;
  readonly input: JsonValue;
  /** The effect of the action, as plain text. */
  readonly preview?: string | undefined;
}

/** Whether the tool may take the action, and if not, the reply with the reason. */
export type ActionDecision = { readonly allow: true } | { readonly allow: false; readonly reply: string };
