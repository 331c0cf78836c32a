import type { ConversationSpec, HistoryMessage, Message } from "@bridle/protocol";
import type { RawItem } from "./messages.ts";

export interface KnownInput {
  spec: ConversationSpec;
  /** The instructions with which the thread was started. */
  instructions: string;
  history: readonly HistoryMessage[];
  input: Message;
}

/**
 * Finds input that the host adds for the model although the caller did not pass it. The host reports each item of a conversation, including
 * its own additions, such as the contents of files and skills.
 */
export class InputCheck {
  readonly #tools: readonly string[];
  readonly #instructions: string;
  readonly #texts: ReadonlySet<string>;

  constructor({ spec, instructions, history, input }: KnownInput) {
    this.#tools = [...spec.tools.map(({ name }) => name), ...spec.builtins];
    this.#instructions = instructions;
    const parts = [...history, input].flatMap(({ content }) => content);
    this.#texts = new Set(parts.flatMap((part) => (part.type === "text" ? [part.text] : [])));
  }

  /** Returns the difference that an item of the input shows; undefined if the caller passed the item. */
  difference(item: RawItem): string | undefined {
    if (item.type === "additional_tools") return this.#addedTool(item);
    if (foreignItems.includes(item.type)) return `an item of the kind ${item.type} was put before the model`;
    if (item.type !== "message") return undefined; // these are calls and results of the history
    const texts = (item.content ?? []).flatMap(({ text }) => text ?? []);
    const isKnown = (text: string) => (item.role === "developer" ? text === this.#instructions : this.#texts.has(text));
    return texts.every(isKnown) ? undefined : `a text with the role ${item.role} was put before the model`;
  }

  #addedTool({ tools }: RawItem): string | undefined {
    const names = (tools ?? []).flatMap(namesIn);
    const added = names.find((name) => !this.#tools.includes(name));
    return added === undefined ? undefined : `the tool ${added} was given to the model`;
  }
}

/** Whether an item is a part of the model's input. Results of calls count as input, too. */
export function isInput({ type, role }: RawItem): boolean {
  return type === "additional_tools" || foreignItems.includes(type) || (type === "message" && role !== "assistant");
}

/** Kinds of items with text from other agents or with Codex's summaries. The closed settings switch off both. */
const foreignItems: readonly string[] = ["agent_message", "compaction", "compaction_trigger", "context_compaction"];

/** Returns the names of a tool, or of the tools in a namespace. */
function namesIn(tool: unknown): string[] {
  if (typeof tool !== "object" || tool === null) return [String(tool)];
  const inner: unknown = Reflect.get(tool, "tools");
  if (Array.isArray(inner)) return inner.flatMap(namesIn);
  const name: unknown = Reflect.get(tool, "name") ?? Reflect.get(tool, "type");
  return [String(name)];
}
