import type { SDKUserMessage } from "@anthropic-ai/claude-agent-sdk";
import { type ImagePart, type Message, omitUndefined, type PromptPart } from "@bridle/protocol";

export type HostContent = Exclude<SDKUserMessage["message"]["content"], string>[number];

/** Converts one of our messages to the host's form. */
export function toHostMessage({ content }: Message): SDKUserMessage {
  return { type: "user", parent_tool_use_id: null, message: { role: "user", content: content.map(toHostPart) } };
}

export function toHostPart(part: PromptPart): HostContent {
  switch (part.type) {
    case "text":
      return { type: "text", text: part.text };
    case "image":
      return toImage(part);
    case "file":
      return omitUndefined({ type: "document" as const, source: toSource(part), title: part.name });
  }
}

export function toImage({ mediaType, data }: ImagePart) {
  return { type: "image" as const, source: { type: "base64" as const, media_type: mediaType, data } };
}

function toSource({ mediaType, data }: Extract<PromptPart, { type: "file" }>) {
  if (mediaType === "application/pdf") return { type: "base64" as const, media_type: mediaType, data };
  const text = Buffer.from(data, "base64").toString("utf8");
  return { type: "text" as const, media_type: "text/plain" as const, data: text };
}
