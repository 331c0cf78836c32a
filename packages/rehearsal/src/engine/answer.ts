import { createHash } from "node:crypto";
import type { Content, ScriptCall, ScriptUsage } from "../script/script.ts";
import type { RehearsedConversation } from "./conversation.ts";
import { fillText, fillValue } from "./template.ts";
import { toWireName } from "./tool-names.ts";

/** One answer of the model, independent of a protocol. */
export interface ScriptAnswer {
  /** The same at the same position of a conversation, so that a retried request gets the same answer. */
  readonly id: string;
  readonly thinking?: string | undefined;
  /** Usually one text. An object that is answered as text is a separate text. */
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
  /** JSON, unless the script breaks it. */
  readonly arguments: string;
}

/** Fills the templates in a step's content. Throws a `TemplateError`. */
export function toAnswer(content: Content, conversation: RehearsedConversation): ScriptAnswer {
  const id = answerId(conversation);
  const fill = (text: string) => fillText(text, conversation);
  const { texts, call } = toObject(content, conversation);
  const calls = [...content.calls.map((each) => toCall(each, conversation)), ...call];
  return {
    id,
    thinking: content.think === undefined ? undefined : fill(content.think),
    texts: [...(content.say === undefined ? [] : [fill(content.say)]), ...oversized(content), ...texts],
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

function toCall({ tool, input }: ScriptCall, conversation: RehearsedConversation): UnnumberedCall {
  const name = toWireName(tool, conversation.offered);
  return { name, arguments: "raw" in input ? input.raw : toJson(input.value, conversation) };
}

/** An object is a call to the tool that the client offers for it. Without such a tool, it is text. */
function toObject(
  { object }: Content,
  conversation: RehearsedConversation,
): { texts: string[]; call: UnnumberedCall[] } {
  if (object === undefined) return { texts: [], call: [] };
  const json = toJson(object.value, conversation);
  const name = conversation.objectTool;
  return name === undefined ? { texts: [json], call: [] } : { texts: [], call: [{ name, arguments: json }] };
}

function toJson(value: unknown, conversation: RehearsedConversation): string {
  return JSON.stringify(fillValue(value, conversation)) ?? "null";
}

function oversized({ oversizedBytes }: Content): string[] {
  return oversizedBytes === undefined
    ? []
    : ["oversized ".repeat(Math.ceil(oversizedBytes / 10)).slice(0, oversizedBytes)];
}

function answerId({ id, turn, answers }: RehearsedConversation): string {
  return createHash("sha256").update(`${id} ${turn} ${answers.length}`).digest("hex").slice(0, 20);
}
