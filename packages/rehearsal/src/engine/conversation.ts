/**
 * The state of a conversation. Every request contains the whole history, so the server reads the state from the request and never stores
 * it. Conversations therefore cannot affect each other.
 */
export interface RehearsedConversation {
  /** Identifies the conversation: equal in all of its requests, as far as the protocol allows. */
  readonly id: string;
  readonly system: string;
  /** The newest user message, without tool results and texts that the host added. */
  readonly user: string;
  /** The number of the newest user message; the first is 1. */
  readonly turn: number;
  /** The model's answers to the newest user message so far, oldest first. */
  readonly answers: readonly PastAnswer[];
  /** Every tool result of the conversation, oldest first. */
  readonly results: readonly ToolResult[];
  /** The tool names in the request. */
  readonly offered: readonly string[];
  /** Tools that take text instead of JSON as their input, if the protocol has such tools. */
  readonly customTools?: readonly string[] | undefined;
  /** The tool that the client uses to request an object. */
  readonly objectTool?: string | undefined;
}

export interface PastAnswer {
  /** The results that followed this answer. */
  readonly results: readonly ToolResult[];
}

export interface ToolResult {
  readonly tool: string;
  readonly text: string;
}
