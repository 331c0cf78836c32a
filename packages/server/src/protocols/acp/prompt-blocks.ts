/** Converts an editor's prompt to a message for the model. Pure. */
import { type ContentBlock, RequestError } from "@agentclientprotocol/sdk";
import { imagePartSchema, type PromptMessage, type PromptPart } from "@bridle/protocol";

/** Converts the blocks. Throws RequestError for content that models cannot read, such as audio. */
export function toMessage(blocks: readonly ContentBlock[]): PromptMessage {
  const parts = blocks.map(toPart);
  if (parts.some((part) => part.type !== "text" || part.text.trim() !== "")) return { role: "user", content: parts };
  throw RequestError.invalidParams(undefined, "The prompt is empty. Add a text.");
}

function toPart(block: ContentBlock): PromptPart {
  switch (block.type) {
    case "text":
      return { type: "text", text: block.text };
    case "image":
      return toImage(block);
    case "resource_link":
      return { type: "text", text: `[${block.title ?? block.name}](${block.uri})` };
    case "resource":
      return toResource(block.resource);
    case "audio":
      throw RequestError.invalidParams(undefined, "The prompt contains sound, which no model here hears. Send text.");
  }
}

function toImage({ data, mimeType }: { data: string; mimeType: string }): PromptPart {
  const image = imagePartSchema.safeParse({ type: "image", data, mediaType: mimeType });
  if (image.success) return image.data;
  throw RequestError.invalidParams(
    undefined,
    `An image of the type ${mimeType} cannot be sent. Use PNG, JPEG, GIF or WebP.`,
  );
}

/** Converts a file in the prompt. The model also gets the file's URI, so that it can refer to the file or change it. */
function toResource(resource: Extract<ContentBlock, { type: "resource" }>["resource"]): PromptPart {
  const { uri, mimeType } = resource;
  if ("text" in resource) return { type: "text", text: `<file uri="${uri}">\n${resource.text}\n</file>` };
  if (mimeType?.startsWith("image/")) return toImage({ data: resource.blob, mimeType });
  if (mimeType === "application/pdf") return { type: "file", mediaType: mimeType, data: resource.blob, name: uri };
  throw RequestError.invalidParams(undefined, `The file ${uri} is neither text, an image nor a PDF. Remove it.`);
}
