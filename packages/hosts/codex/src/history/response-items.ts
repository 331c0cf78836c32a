/** Converts our messages to items of OpenAI's Responses API, which Codex sends to the model unchanged. */
import {
  type HistoryMessage,
  type HistoryPart,
  type ImagePart,
  InvalidRequestError,
  type Message,
  type PromptPart,
  type ToolReply,
  type ToolResultPart,
} from "@bridle/protocol";
import { applyPatch, opensPatches } from "../boundary/opened-tools.ts";

/** Returns the items of a history, in order. If Codex's patch tool is open, patches have Codex's own form. */
export function toResponseItems(history: readonly HistoryMessage[], opened: readonly string[]): object[] {
  const parts = history.flatMap(({ content }) => content);
  const patches = new Map(parts.flatMap((part) => (opensPatches({ builtins: opened }) ? patchIn(part) : [])));
  return history.flatMap(({ role, content }) => grouped(content).flatMap((group) => toItems(role, group, patches)));
}

/** Returns the id and the text of a patch. */
function patchIn(part: HistoryPart): [callId: string, patch: string][] {
  if (part.type !== "tool-call" || part.tool !== applyPatch || typeof part.input.patch !== "string") return [];
  return [[part.callId, part.input.patch]];
}

/** Groups the parts of a prompt. Neighbouring parts are one item. Each call and each result is a separate item. */
function grouped(content: readonly HistoryPart[]): HistoryPart[][] {
  const groups: HistoryPart[][] = [];
  for (const part of content) {
    const last = groups.at(-1);
    if (last && isPromptPart(part) && last.every(isPromptPart)) last.push(part);
    else groups.push([part]);
  }
  return groups;
}

function isPromptPart(part: HistoryPart): part is PromptPart {
  return part.type !== "tool-call" && part.type !== "tool-result";
}

function toItems(
  role: HistoryMessage["role"],
  parts: readonly HistoryPart[],
  patches: ReadonlyMap<string, string>,
): object[] {
  const [first] = parts;
  if (first?.type === "tool-call") {
    const { callId, tool, input } = first;
    const patch = patches.get(callId);
    if (patch !== undefined) return [{ type: "custom_tool_call", call_id: callId, name: tool, input: patch }];
    return [{ type: "function_call", call_id: callId, name: tool, arguments: JSON.stringify(input) }];
  }
  if (first?.type === "tool-result") {
    const type = patches.has(first.callId) ? "custom_tool_call_output" : "function_call_output";
    return [{ type, call_id: first.callId, output: toWireOutput(first) }];
  }
  const content = parts.filter(isPromptPart).map((part) => (role === "user" ? toInput(part) : toAnswer(part)));
  return [{ type: "message", role, content }];
}

function toInput(part: PromptPart): object {
  if (part.type === "text") return { type: "input_text", text: part.text };
  if (part.type === "image") return { type: "input_image", image_url: toDataUrl(part) };
  throw new InvalidRequestError("Codex accepts no file in a prompt. Pass its text, or choose another backend.");
}

function toAnswer(part: PromptPart): object {
  if (part.type === "text") return { type: "output_text", text: part.text };
  throw new InvalidRequestError(
    `An assistant message in the prompt holds a part of type ${part.type}, but hosts accept only text there. Move it to a user message.`,
  );
}

/** Returns the text of a result, or the text followed by images. */
export function toWireOutput({ output, images = [] }: Pick<ToolResultPart, "output" | "images">): unknown {
  if (images.length === 0) return output;
  const text = output === "" ? [] : [{ type: "input_text", text: output }];
  return [...text, ...images.map((image) => ({ type: "input_image", image_url: toDataUrl(image) }))];
}

/** A message in two parts: items that the thread gets before the turn, and the input of the turn itself. */
export interface SentMessage {
  readonly items: object[];
  readonly input: object[];
}

/**
 * Converts a message. If patches are open, the message is added to the history instead. Codex would search the input of a turn for skills
 * of the patched folder, such as `$name`, and give their texts to the model, regardless of its settings (observed on 0.169.0).
 */
export function toSentMessage(message: Message, opened: readonly string[]): SentMessage {
  if (opensPatches({ builtins: opened })) return { items: toResponseItems([message], opened), input: [] };
  return { items: [], input: toTurnInput(message.content) };
}

/** Returns the parts of a message in the form of a turn's input. */
function toTurnInput(content: readonly PromptPart[]): object[] {
  return content.map((part) => {
    if (part.type === "text") return { type: "text", text: part.text, text_elements: [] };
    if (part.type === "image") return { type: "image", url: toDataUrl(part) };
    throw new InvalidRequestError("Codex accepts no file in a prompt. Pass its text, or choose another backend.");
  });
}

/** Returns the answer to a call in Codex's form. */
export function toCallAnswer({ output, images = [], isError }: ToolReply): object {
  const text = output === "" && images.length > 0 ? [] : [{ type: "inputText", text: output }];
  const pictures = images.map((image) => ({ type: "inputImage", imageUrl: toDataUrl(image) }));
  return { contentItems: [...text, ...pictures], success: !isError };
}

function toDataUrl({ mediaType, data }: ImagePart): string {
  return `data:${mediaType};base64,${data}`;
}
