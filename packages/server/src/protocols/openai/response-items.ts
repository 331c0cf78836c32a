/** The items of a growing response, and the events that describe the changes. Pure. */
import type { ClosedPart } from "../shared/run-parts.ts";
import type { CallItem, MessageItem, ReasoningItem, ResponseItem } from "./response-object.ts";

/** An event without its sequence number. */
export interface ItemEvent {
  readonly type: `response.${string}` | "error";
  readonly [field: string]: unknown;
}

type Spoken = ClosedPart["kind"];

/** Keeps the items of a response in order. A voided item keeps its index, but is not in the output. */
export class ResponseItems {
  readonly #indexes = new Map<string, number>();
  readonly #items: (ResponseItem | undefined)[] = [];

  output(): readonly ResponseItem[] {
    return this.#items.filter((item) => item !== undefined);
  }

  /** Ends the unfinished items at the end of the response. */
  cut(): ItemEvent[] {
    const open = this.#items.filter((item) => item?.type === "mcp_call" && item.status === "in_progress");
    return open.flatMap((item) => (item?.type === "mcp_call" ? this.finish({ ...item, status: "incomplete" }) : []));
  }

  begin(item: ResponseItem): ItemEvent[] {
    this.#indexes.set(item.id, this.#items.length);
    this.#items.push(item);
    return [{ type: "response.output_item.added", output_index: this.#index(item.id), item }];
  }

  finish(item: ResponseItem): ItemEvent[] {
    const index = this.#index(item.id);
    this.#items[index] = item;
    return [{ type: "response.output_item.done", output_index: index, item }];
  }

  remove(id: string): void {
    this.#items[this.#index(id)] = undefined;
  }

  openText(kind: Spoken, id: string): ItemEvent[] {
    const item = textItem(kind, id, "in_progress", undefined);
    return [...this.begin(item), this.#textEvent("response.content_part.added", id, { part: textPart(kind, "") })];
  }

  growText(kind: Spoken, id: string, delta: string): ItemEvent {
    return this.#textEvent(`response.${textNames[kind]}.delta`, id, { delta, ...logprobs(kind) });
  }

  closeText({ kind, id, text, isCut }: ClosedPart): ItemEvent[] {
    return [
      this.#textEvent(`response.${textNames[kind]}.done`, id, { text, ...logprobs(kind) }),
      this.#textEvent("response.content_part.done", id, { part: textPart(kind, text) }),
      ...this.finish(textItem(kind, id, isCut ? "incomplete" : "completed", text)),
    ];
  }

  openCall(call: CallItem): ItemEvent[] {
    const begun = this.begin(call);
    const place = { item_id: call.id, output_index: this.#index(call.id) };
    return [
      ...begun,
      { type: "response.mcp_call.in_progress", ...place },
      { type: "response.mcp_call_arguments.done", ...place, arguments: call.arguments },
    ];
  }

  closeCall(call: CallItem): ItemEvent[] {
    const type = `response.mcp_call.${call.error === null ? "completed" : "failed"}` as const;
    return [{ type, item_id: call.id, output_index: this.#index(call.id) }, ...this.finish(call)];
  }

  call(id: string): CallItem | undefined {
    const item = this.#items[this.#indexes.get(id) ?? -1];
    return item?.type === "mcp_call" ? item : undefined;
  }

  #textEvent(type: ItemEvent["type"], id: string, fields: Readonly<Record<string, unknown>>): ItemEvent {
    return { type, item_id: id, output_index: this.#index(id), content_index: 0, ...fields };
  }

  #index(id: string): number {
    return this.#indexes.get(id) ?? 0;
  }
}

const textNames = { text: "output_text", reasoning: "reasoning_text" } as const;

function logprobs(kind: Spoken) {
  return kind === "text" ? { logprobs: [] } : {};
}

function textPart<K extends Spoken>(kind: K, text: string) {
  return kind === "text"
    ? ({ type: "output_text", text, annotations: [], logprobs: [] } as const)
    : ({ type: "reasoning_text", text } as const);
}

function textItem(
  kind: Spoken,
  id: string,
  status: MessageItem["status"],
  text: string | undefined,
): MessageItem | ReasoningItem {
  if (kind === "text") {
    const part = { type: "output_text", text: text ?? "", annotations: [], logprobs: [] } as const;
    return { type: "message", id, role: "assistant", status, content: text === undefined ? [] : [part] };
  }
  const content = text === undefined ? [] : [{ type: "reasoning_text", text } as const];
  return { type: "reasoning", id, status, summary: [], content };
}
