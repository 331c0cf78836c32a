/** The types of a backend for a runtime. */
export type {
  Backend,
  BackendEvent,
  Conversation,
  ConversationSpec,
  ImplicitSource,
  Message,
  PromptContext,
  Resumption,
  ToolCall,
  ToolDeclaration,
  ToolReply,
  TurnContext,
  TurnEnd,
} from "@bridle/protocol";
