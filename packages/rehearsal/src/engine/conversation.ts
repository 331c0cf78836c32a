/**
 * The state of a conversation. Every request contains its whole history, so the state is read from the request and never
 * stored. Conversations cannot disturb each other.
 */
export interface RehearsedConversation {
  /** The same in every request of one conversation, as far as the protocol allows. */
  readonly id: string;
  readonly system: string;
  /** The newest message of the user, without tool results and additions of the host. */
  readonly user: string;
  /** The number of that message; the first message of the user is 1. */
  readonly turn: number;
  /** The model's answers to that message so far, oldest first. */
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
