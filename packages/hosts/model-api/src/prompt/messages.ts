/** Converts our messages and tools to the AI SDK's model interface, version 4. */
import type {
  LanguageModelV4FilePart,
  LanguageModelV4FunctionTool,
  LanguageModelV4Message,
  LanguageModelV4TextPart,
  LanguageModelV4ToolResultOutput,
  LanguageModelV4ToolResultPart,
} from "@ai-sdk/provider";
import {
  type ConversationSpec,
  type ImagePart,
  InvalidRequestError,
  type Message,
  omitUndefined,
  type PromptPart,
  resultImagesLabel,
  type ToolDeclaration,
  type ToolReply,
} from "@bridle/protocol";
import type { Wiring } from "../wiring/index.ts";

/** Returns the static and the dynamic part as two system messages, or as one if the host accepts only one. */
export function toSystem(system: ConversationSpec["system"], inOne: boolean): LanguageModelV4Message[] {
  const texts = [system.static, system.dynamic].filter((text) => text !== "");
  if (inOne && texts.length > 0) return [{ role: "system", content: texts.join("\n\n") }];
  return texts.map((content) => ({ role: "system", content }));
}

/** Converts a message. Throws an InvalidRequestError if an assistant message contains more than text, which no host accepts. */
export function toLanguageModelMessage({ role, content }: Message): LanguageModelV4Message {
  if (role === "user") return { role, content: content.map(toPart) };
  return { role, content: content.map(toAnswerPart) };
}

function toAnswerPart(part: PromptPart): LanguageModelV4TextPart {
  if (part.type === "text") return { type: "text", text: part.text };
  throw new InvalidRequestError(
    `An assistant message in the prompt holds a part of type ${part.type}, but hosts accept only text there. Move it to a user message.`,
  );
}

function toPart(part: PromptPart): LanguageModelV4TextPart | LanguageModelV4FilePart {
  switch (part.type) {
    case "text":
      return { type: "text", text: part.text };
    case "image":
      return { type: "file", mediaType: part.mediaType, data: { type: "data", data: part.data } };
    case "file":
      return part.mediaType === "application/pdf" ? toFile(part) : { type: "text", text: toDocument(part) };
  }
}

type FilePart = Extract<PromptPart, { type: "file" }>;

function toFile({ mediaType, data, name }: FilePart): LanguageModelV4FilePart {
  return omitUndefined({ type: "file" as const, mediaType, data: { type: "data" as const, data }, filename: name });
}

/** Converts a text file to text, because not every host accepts text files. */
function toDocument({ data, name }: FilePart): string {
  const text = Buffer.from(data, "base64").toString("utf8");
  return name === undefined ? text : `${name}:\n\n${text}`;
}

export function toLanguageModelTool({ name, description, inputSchema }: ToolDeclaration): LanguageModelV4FunctionTool {
  return { type: "function", name, description, inputSchema };
}

export type ResultForm = Pick<Wiring, "marksErrors" | "resultImages">;
type Reply = Pick<ToolReply, "output" | "isError" | "images">;

export function toToolResult(
  { callId, tool }: { callId: string; tool: string },
  reply: Reply,
  { marksErrors, resultImages }: ResultForm,
): LanguageModelV4ToolResultPart {
  const { output, isError, images } = reply;
  const inResult = images !== undefined && resultImages === "in-result";
  return {
    type: "tool-result",
    toolCallId: callId,
    toolName: tool,
    output: inResult
      ? { type: "content", value: withImages(output, images) }
      : { type: isError && marksErrors ? "error-text" : "text", value: output },
  };
}

type ResultContent = Extract<LanguageModelV4ToolResultOutput, { type: "content" }>["value"];

function withImages(text: string, images: readonly ImagePart[]): ResultContent {
  const parts = images.map(({ mediaType, data }) => {
    return { type: "file" as const, mediaType, data: { type: "data" as const, data } };
  });
  return text.trim() === "" ? parts : [{ type: "text", text }, ...parts]; // hosts refuse blank text
}

/** Returns a message that contains the images of results, for a host that accepts none in a result. It is sent after the results. */
export function imagesAfterResults(replies: readonly Reply[], { resultImages }: ResultForm): LanguageModelV4Message[] {
  const images = replies.flatMap((reply) => reply.images ?? []);
  if (resultImages !== "after-results" || images.length === 0) return [];
  const label = { type: "text" as const, text: resultImagesLabel };
  return [{ role: "user", content: [label, ...images.map(toPart)] }];
}
