/** The events of one output item: its start, its pieces, and its end. */
import { toPieces } from "../protocol/pieces.ts";
import type { NamedValue, SsePart } from "../protocol/sse.ts";
import { type OutputItem, toOutputText } from "./output.ts";

type Event = SsePart<NamedValue>;

export interface ItemEvents {
  readonly opening: readonly Event[];
  readonly pieces: readonly Event[];
  readonly closing: readonly Event[];
}

export function toItemEvents(item: OutputItem, index: number): ItemEvents {
  const place = { item_id: item.id, output_index: index };
  const { begun, opening, pieces, closing } = partsOf(item);
  const whole = (type: string, each: object) => event({ type, output_index: index, item: each });
  const placed = (parts: readonly NamedValue[]) => parts.map((part) => event({ ...part, ...place }));
  return {
    opening: [whole("response.output_item.added", { ...item, ...begun }), ...placed(opening)],
    pieces: pieces.map((part) => ({ value: { ...part, ...place }, isPiece: !item.type.endsWith("_call") })),
    closing: [...placed(closing), whole("response.output_item.done", item)],
  };
}

interface Parts {
  /** The item before its first piece. */
  readonly begun: object;
  readonly opening: readonly NamedValue[];
  readonly pieces: readonly NamedValue[];
  readonly closing: readonly NamedValue[];
}

function partsOf(item: OutputItem): Parts {
  if (item.type === "reasoning") return reasoningParts(item.summary.map(({ text }) => text).join(""));
  if (item.type === "message") return messageParts(item.content.map(({ text }) => text).join(""));
  if (item.type === "custom_tool_call") {
    return {
      begun: { status: "in_progress", input: "" },
      opening: [],
      pieces: deltas("response.custom_tool_call_input.delta", item.input, {}),
      closing: [{ type: "response.custom_tool_call_input.done", input: item.input }],
    };
  }
  return {
    begun: { status: "in_progress", arguments: "" },
    opening: [],
    pieces: deltas("response.function_call_arguments.delta", item.arguments, {}),
    closing: [{ type: "response.function_call_arguments.done", name: item.name, arguments: item.arguments }],
  };
}

function reasoningParts(text: string): Parts {
  const place = { summary_index: 0 };
  const part = (words: string) => ({ type: "summary_text", text: words });
  return {
    begun: { summary: [] },
    opening: [{ type: "response.reasoning_summary_part.added", ...place, part: part("") }],
    pieces: deltas("response.reasoning_summary_text.delta", text, place),
    closing: [
      { type: "response.reasoning_summary_text.done", ...place, text },
      { type: "response.reasoning_summary_part.done", ...place, part: part(text) },
    ],
  };
}

function messageParts(text: string): Parts {
  const place = { content_index: 0 };
  return {
    begun: { status: "in_progress", content: [] },
    opening: [{ type: "response.content_part.added", ...place, part: toOutputText("") }],
    pieces: deltas("response.output_text.delta", text, { ...place, logprobs: [] }),
    closing: [
      { type: "response.output_text.done", ...place, text, logprobs: [] },
      { type: "response.content_part.done", ...place, part: toOutputText(text) },
    ],
  };
}

function deltas(type: string, text: string, more: object): NamedValue[] {
  return toPieces(text).map((delta) => ({ type, ...more, delta }));
}

function event(value: NamedValue): Event {
  return { value, isPiece: false };
}
