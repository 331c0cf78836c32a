import type { JsonValue } from "../text/json.ts";

/** Something that a running tool is about to do, for rules and for the person who is asked. */
export interface ToolAction {
  /** The name in rules. */
  readonly tool: string;
  readonly input: JsonValue;
  /** The effect, as plain text. */
  readonly preview?: string | undefined;
}

/** Whether the tool may do it, and if not, why. */
export type ActionDecision = { readonly allow: true } | { readonly allow: false; readonly reply: string };
