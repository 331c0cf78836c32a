import { type HistoryMessage, type HistoryPart, historyInput } from "@bridle/protocol";
import { applyPatch } from "../boundary/opened-tools.ts";
import { isInput } from "../messages/input-check.ts";
import type { RawItem } from "../messages/messages.ts";

interface ObservedMessage extends HistoryMessage {
  content: HistoryPart[];
}

/** The part of a turn that a thread contains after its input, built only from the host's own items. */
export class ObservedItems {
  readonly #messages: ObservedMessage[] = [];
  readonly #items: RawItem[] = [];

  get messages(): readonly HistoryMessage[] {
    return this.#messages;
  }

  /** The items themselves, with the model's encrypted reasoning. */
  get items(): readonly RawItem[] {
    return this.#items;
  }

  observe(item: RawItem, isError: boolean): void {
    const { type, role, call_id: callId, name: tool } = item;
    if (!isInput(item)) this.#items.push(item);
    if (type === "message" && role === "assistant") {
      const text = (item.content ?? []).map((part) => part.text ?? "").join("");
      if (text !== "") this.#add("assistant", { type: "text", text });
    } else if (type === "function_call" || type === "custom_tool_call") {
      const input = historyInput(type === "function_call" ? parsed(item.arguments) : customInput(item));
      this.#add("assistant", { type: "tool-call", callId: callId ?? "", tool: tool ?? "", input });
    } else if (type === "function_call_output" || type === "custom_tool_call_output") {
      this.#add("user", { type: "tool-result", callId: callId ?? "", output: outputText(item.output), isError });
    }
  }

  /** Stores the input of a call in the form that is logged, which differs from the host's form. */
  observeInput(callId: string, input: object): void {
    for (const { content } of this.#messages) {
      const index = content.findIndex((part) => part.type === "tool-call" && part.callId === callId);
      const part = content[index];
      if (part?.type === "tool-call") content[index] = { ...part, input: historyInput(input) };
    }
  }

  #add(role: "user" | "assistant", part: HistoryPart): void {
    const last = this.#messages.at(-1);
    if (last?.role === role) last.content.push(part);
    else this.#messages.push({ role, content: [part] });
  }
}

/** Returns a call's output as text. */
export function outputText(output: unknown): string {
  return typeof output === "string" ? output : JSON.stringify(output);
}

function customInput({ name, input }: RawItem): unknown {
  return name === applyPatch ? { patch: input } : input;
}

function parsed(text: unknown): unknown {
  try {
    return typeof text === "string" ? JSON.parse(text) : text;
  } catch {
    return text;
  }
}
