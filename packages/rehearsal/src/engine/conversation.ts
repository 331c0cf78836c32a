/**
 * What the engine knows of a conversation. It is read anew from every request, because the history in a request says
 * all of it: nothing is remembered between requests, so that conversations cannot disturb each other.
 */
export interface Conversation {
  /** The same in every request of one conversation, as far as the protocol tells. */
  readonly id: string;
  readonly system: string;
  /** The newest message of the user, without tool results and without what a host adds. */
  readonly user: string;
  /** Which message of the user that is; the first is 1. */
  readonly turn: number;
  /** The model's answers to that message so far, oldest first. */
  readonly answers: readonly PastAnswer[];
  /** Every tool result of the conversation, oldest first. */
  readonly results: readonly ToolResult[];
  /** The names of the tools that the model was offered, as they stand on the wire. */
  readonly offered: readonly string[];
  /** The tool by which the client wants an object, where it wants one so. */
  readonly objectTool?: string;
}

export interface PastAnswer {
  /** The results that came back after this answer. */
  readonly results: readonly ToolResult[];
}

export interface ToolResult {
  readonly tool: string;
  readonly text: string;
}
