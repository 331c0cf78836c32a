/** A chat with an agent, without its screen: its runs, its sessions and its view. */

export { ChatRuns } from "./chat-runs.ts";
export {
  addNote,
  type ChatItem,
  type ChatView,
  createView,
  listItems,
  type Tone,
  type WindowState,
} from "./chat-view.ts";
export { type ContextFacts, describeContext } from "./context-facts.ts";
export { readEarlierPrompts, typedText } from "./earlier-prompts.ts";
export { type OpenChat, type OpenChatOptions, openChat } from "./open-chat.ts";
export { QuestionQueue } from "./question-queue.ts";
export { reduceChatView } from "./reduce-chat-view.ts";
export { openChatSession, SessionControl, showSession, type WithEventLog } from "./session-control.ts";
export { ChatStore } from "./store.ts";
