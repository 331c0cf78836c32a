import { sha256 } from "@bridle/core";

/** What the model is told before anything else, and what is known of the text. */
export interface AgentInstructions {
  /** What the model is sent. */
  readonly text: string;
  /** As the front matter says, else `auto-` and the beginning of the text's hash. */
  readonly version: string;
  /** The file that they were read from, as messages name it. */
  readonly file?: string;
}

/** Instructions of a text without front matter. */
export function plainInstructions(text: string): AgentInstructions {
  return { text, version: `auto-${sha256(text).slice(0, 8)}` };
}
