import { type HistoryMessage, type HistoryPart, historyInput } from "@bridle/protocol";
import type { RawItem } from "../messages/messages.ts";

interface ObservedMessage extends HistoryMessage {
  content: HistoryPart[];
}

/** The part of a turn that a thread holds after its input, built only from the host's own items. */
export class ObservedItems {
  readonly #messages: ObservedMessage[] = [];

  get messages(): readonly HistoryMessage[] {
    return this.#messages;
  }

  observe(item: RawItem, isError: boolean): void {
    const { type, role } = item;
    if (type === "message" && role === "assistant") {
      const text = (item.content ?? []).map((part) => part.text ?? "").join("");
      if (text !== "") this.#add("assistant", { type: "text", text });
    } else if (type === "function_call") {
      const input = historyInput(parsed(item.arguments));
      this.#add("assistant", { type: "tool-call", callId: item.call_id ?? "", tool: item.name ?? "", input });
    } else if (type === "function_call_output") {
      this.#add("user", { type: "tool-result", callId: item.call_id ?? "", output: outputText(item.output), isError });
    }
  }

  #add(role: "user" | "assistant", part: HistoryPart): void {
    const last = this.#messages.at(-1);
    if (last?.role === role) last.content.push(part);
    else this.#messages.push({ role, content: [part] });
  }
}

/** The output of a call, as a text. */
export function outputText(output: unknown): string {
  return typeof output === "string" ? output : JSON.stringify(output);
}

function parsed(text: unknown): unknown {
  try {
    return typeof text === "string" ? JSON.parse(text) : text;
  } catch {
    return text;
  }
}
