import { maxStoredChars } from "@bridle/core";
import { omitUndefined, type ToolImage, type ToolOutput } from "@bridle/protocol";
import type { CallToolResult, ContentBlock } from "@modelcontextprotocol/client";

const withoutReason = "The server reported that the call failed, without a reason.";

/**
 * Turns a server's result into the output of a tool. The model gets the text, the images, and a note for each sound or other binary part.
 * The event log gets everything, unless it is too large to keep. Throws an Error if the server reports a failed call without images.
 */
export function toMcpOutput({ content, structuredContent, isError }: CallToolResult): ToolOutput {
  const isKept = content.reduce((sum, block) => sum + dataOf(block).length, 0) < maxStoredChars;
  const text = content.flatMap((block) => toText(block, isKept)).join("\n\n");
  const images = content.flatMap((block) => (block.type === "image" ? [toImage(block)] : []));
  if (isError && images.length === 0) throw new Error(text || withoutReason);
  const unshown = content.filter((block) => block.type !== "image");
  const structured = structuredContent ?? (unshown.every(isReadable) ? undefined : { content: unshown });
  if (images.length > 0) return { markdown: text, images, ...omitUndefined({ structured, isError }) };
  if (text === "" && structuredContent !== undefined)
    return { markdown: JSON.stringify(structuredContent), structured };
  return { markdown: text || "(The result is empty.)", ...omitUndefined({ structured }) };
}

function toImage({ mimeType: mediaType, data }: Extract<ContentBlock, { type: "image" }>): ToolImage {
  return { mediaType, data };
}

/** Whether the text contains everything in the block. */
function isReadable(block: ContentBlock): boolean {
  return (
    block.type === "text" || block.type === "resource_link" || (block.type === "resource" && "text" in block.resource)
  );
}

/** Returns the base64 data of a block that no model reads as text. */
function dataOf(block: ContentBlock): string {
  if (block.type === "audio") return block.data;
  return block.type === "resource" && "blob" in block.resource ? block.resource.blob : "";
}

/** Describes a part that the model cannot read. `isKept`: the event log contains the data. */
function toText(block: ContentBlock, isKept: boolean): string | readonly string[] {
  switch (block.type) {
    case "text":
      return block.text;
    case "image":
      return [];
    case "audio":
      return unreadable("A sound", { ...block, base64: block.data, isKept });
    case "resource_link":
      return [`[${block.title ?? block.name}](${block.uri})`, block.description].filter(Boolean).join(": ");
    case "resource": {
      const { resource } = block;
      if ("text" in resource) return `${resource.uri}:\n${resource.text}`;
      return unreadable(`The resource ${resource.uri}`, { ...resource, base64: resource.blob, isKept });
    }
  }
}

interface Unreadable {
  readonly mimeType?: string | undefined;
  readonly base64: string;
  readonly isKept: boolean;
}

function unreadable(part: string, { mimeType, base64, isKept }: Unreadable): string {
  const bytes = Buffer.byteLength(base64, "base64").toLocaleString("en");
  const place = isKept ? "is in the event log and" : "is too large for the event log, and";
  return `[${part} (${mimeType ?? "unknown type"}, ${bytes} bytes), which ${place} cannot be shown here.]`;
}
