/** The types of a backend, which a runtime can be made on. */
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
