import { createHash } from "node:crypto";
import { isPlainObject } from "@bridle/protocol";
import type { Content, ScriptCall, ScriptUsage } from "../script/script.ts";
import type { RehearsedConversation } from "./conversation.ts";
import { fillText, fillValue } from "./template.ts";
import { toWireName } from "./tool-names.ts";

/** One answer of the model, independent of a protocol. */
export interface ScriptAnswer {
  /** Depends only on the position in a conversation, so that a retried request gets the same answer. */
  readonly id: string;
  readonly thinking?: string | undefined;
  /** Usually one text. If an object is sent as text, it is a separate text. */
  readonly texts: readonly string[];
  readonly calls: readonly AnswerCall[];
  /** The length of the vectors, for embeddings. */
  readonly dimensions?: number | undefined;
  readonly stopReason?: string | undefined;
  readonly usage: ScriptUsage;
}

interface AnswerCall {
  readonly id: string;
  readonly name: string;
  /** The arguments as JSON, unless the script contains invalid JSON. For a custom tool, the input as text. */
  readonly arguments: string;
  /** Set if the call is to a tool that takes text instead of JSON as its input. */
  readonly isCustom?: true;
}

/** Converts the written content of a step to the model's output. */
interface Fill {
  text(text: string): string;
  value(value: unknown): unknown;
}

const asWritten: Fill = { text: (text) => text, value: (value) => value };

/** Fills the templates in a step's content, unless it is literal. Throws a `TemplateError`. */
export function toAnswer(
  content: Content,
  conversation: RehearsedConversation,
  { isLiteral = false } = {},
): ScriptAnswer {
  const id = answerId(conversation);
  const fill: Fill = isLiteral
    ? asWritten
    : { text: (text) => fillText(text, conversation), value: (value) => fillValue(value, conversation) };
  const { texts, call } = toObject(content, conversation, fill);
  const calls = [...content.calls.map((each) => toCall(each, conversation, fill)), ...call];
  return {
    id,
    thinking: content.think === undefined ? undefined : fill.text(content.think),
    texts: [...(content.say === undefined ? [] : [fill.text(content.say)]), ...oversized(content), ...texts],
    calls: calls.map((each, index) => ({ id: `${id}${index}`, ...each })),
    dimensions: content.dimensions,
    stopReason: content.stopReason,
    usage: content.usage,
  };
}

/** Whether the answer has content. A step may only stall or break off. */
export function hasContent({ thinking, texts, calls, dimensions }: ScriptAnswer): boolean {
  return thinking !== undefined || dimensions !== undefined || texts.length > 0 || calls.length > 0;
}

type UnnumberedCall = Omit<AnswerCall, "id">;

function toCall(
  { tool, input, isCustom }: ScriptCall,
  { offered, customTools = [] }: RehearsedConversation,
  fill: Fill,
): UnnumberedCall {
  const name = toWireName(tool, offered);
  if (isCustom || customTools.includes(name)) return { name, arguments: toCustomInput(input, fill), isCustom: true };
  return { name, arguments: "raw" in input ? input.raw : toJson(input.value, fill) };
}

/**
 * Returns the input of a custom tool. A text stays unchanged. Of an object, only the first text is used, because the event log has more
 * than the model sent.
 */
function toCustomInput(input: ScriptCall["input"], fill: Fill): string {
  if ("raw" in input) return input.raw;
  const value = fill.value(input.value);
  const texts = isPlainObject(value) ? Object.values(value) : [value];
  return texts.find((each) => typeof each === "string") ?? toJson(value, asWritten);
}

/** Writes an object as a call to the tool that the client offers for objects, or as text if there is no such tool. */
function toObject(
  { object }: Content,
  { objectTool: name }: RehearsedConversation,
  fill: Fill,
): { texts: string[]; call: UnnumberedCall[] } {
  if (object === undefined) return { texts: [], call: [] };
  const json = toJson(object.value, fill);
  return name === undefined ? { texts: [json], call: [] } : { texts: [], call: [{ name, arguments: json }] };
}

function toJson(value: unknown, fill: Fill): string {
  return JSON.stringify(fill.value(value)) ?? "null";
}

function oversized({ oversizedBytes }: Content): string[] {
  return oversizedBytes === undefined
    ? []
    : ["oversized ".repeat(Math.ceil(oversizedBytes / 10)).slice(0, oversizedBytes)];
}

function answerId({ id, turn, answers }: RehearsedConversation): string {
  return createHash("sha256").update(`${id} ${turn} ${answers.length}`).digest("hex").slice(0, 20);
}
