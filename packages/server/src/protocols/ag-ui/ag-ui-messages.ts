/** Keeps the messages of a thread with the ids that the client uses, so that a snapshot contains the same ids. */
import type { HistoryMessage, HistoryPart, ImagePart } from "@bridle/protocol";
import type { AgUiContent, AgUiMessage, AgUiPart, AgUiToolCall } from "./ag-ui-events.ts";

/** Collects the messages of one request: those that the client sent, and those that were sent to it. */
export class AgUiMessages {
  #messages: readonly AgUiMessage[];

  constructor(messages: readonly AgUiMessage[]) {
    this.#messages = messages;
  }

  list(): readonly AgUiMessage[] {
    return this.#messages;
  }

  add(message: AgUiMessage): void {
    this.#messages = [...this.#messages.filter(({ id }) => id !== message.id), message];
  }

  /** Adds a call to an assistant message. Creates the message if it does not exist. */
  addCall(messageId: string, call: AgUiToolCall): void {
    const parent = this.#messages.find(({ id }) => id === messageId);
    if (parent?.role !== "assistant") this.add({ id: messageId, role: "assistant", toolCalls: [call] });
    else {
      const grown = { ...parent, toolCalls: [...(parent.toolCalls ?? []), call] };
      this.#messages = this.#messages.map((message) => (message.id === messageId ? grown : message));
    }
  }

  /**
   * Removes messages. If a snapshot contains no reasoning at all, clients keep their old reasoning. Therefore void reasoning
   * becomes empty instead.
   */
  remove(ids: ReadonlySet<string>): void {
    const rest = this.#messages.filter(({ id, role }) => !ids.has(id) || role === "reasoning");
    const keepsReasoning = rest.some(({ id, role }) => role === "reasoning" && !ids.has(id));
    this.#messages = rest.flatMap((message) => {
      if (!ids.has(message.id)) return [message];
      return keepsReasoning ? [] : [{ id: message.id, role: "reasoning" as const, content: "" }];
    });
  }

  /** Replaces all messages before the newest prompt with the model's new history. */
  replaceHistory(history: readonly HistoryMessage[], idPrefix: string): void {
    const prompt = this.#messages.findLastIndex(({ role }) => role === "user");
    this.#messages = [...historyMessages(history, idPrefix), ...this.#messages.slice(Math.max(0, prompt))];
  }
}

/** Converts a history to messages, with ids that begin with a prefix. */
function historyMessages(history: readonly HistoryMessage[], idPrefix: string): AgUiMessage[] {
  return history.flatMap(({ role, content }, index) => {
    const id = `${idPrefix}-${index + 1}`;
    return role === "assistant" ? [assistantMessage(id, content)] : userMessages(id, content);
  });
}

/** Converts a user message. The results of calls in it become separate messages. */
function userMessages(id: string, content: readonly HistoryPart[]): AgUiMessage[] {
  const results = content.flatMap((part, index): AgUiMessage[] => {
    if (part.type !== "tool-result") return [];
    const { callId, output, images } = part;
    return [{ id: `${id}-${index + 1}`, role: "tool", toolCallId: callId, content: toAgUiContent(output, images) }];
  });
  const parts = content.flatMap(toPart);
  return parts.length > 0 ? [...results, { id, role: "user", content: parts }] : results;
}

function assistantMessage(id: string, content: readonly HistoryPart[]): AgUiMessage {
  const text = content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n\n");
  const toolCalls = content.flatMap((part) =>
    part.type === "tool-call" ? [toToolCall(part.callId, part.tool, part.input)] : [],
  );
  return { id, role: "assistant", ...(text && { content: text }), ...(toolCalls.length > 0 && { toolCalls }) };
}

export function toToolCall(id: string, name: string, input: unknown): AgUiToolCall {
  return { id, type: "function", function: { name, arguments: JSON.stringify(input) } };
}

/** Converts the reply to a call: its text and its images. */
export function toAgUiContent(output: string, images: readonly ImagePart[] = []): AgUiContent {
  return images.length === 0 ? output : [{ type: "text", text: output }, ...images.flatMap(toPart)];
}

function toPart(part: HistoryPart): AgUiPart[] {
  if (part.type === "text") return [part];
  if (part.type === "file") return [{ type: "text", text: `[file: ${part.name ?? part.mediaType}]` }];
  if (part.type !== "image") return [];
  return [{ type: "image", source: { type: "data", value: part.data, mimeType: part.mediaType } }];
}
