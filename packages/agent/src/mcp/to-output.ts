import type { ToolOutput } from "@bridle/protocol";
import type { CallToolResult, ContentBlock } from "@modelcontextprotocol/client";

/**
 * What the model and the record get of a server's result. The model reads text alone: of pictures, sounds and other
 * bytes it is told that they are there, and the record keeps them. Throws what the server calls an error.
 */
export function toOutput({ content, structuredContent, isError }: CallToolResult): ToolOutput {
  const text = content.map(textOf).join("\n\n");
  if (isError) throw new Error(text || "The server says that the call failed, and not why.");
  const structured = structuredContent ?? (content.every(isReadable) ? undefined : { content });
  if (text === "" && structuredContent !== undefined)
    return { markdown: JSON.stringify(structuredContent), structured };
  return { markdown: text || "(The result is empty.)", ...(structured !== undefined && { structured }) };
}

/** Whether the text of a block is all that there is to it. */
function isReadable(block: ContentBlock): boolean {
  return (
    block.type === "text" || block.type === "resource_link" || (block.type === "resource" && "text" in block.resource)
  );
}

function textOf(block: ContentBlock): string {
  switch (block.type) {
    case "text":
      return block.text;
    case "image":
    case "audio":
      return unreadable(block.type === "image" ? "An image" : "A sound", block.mimeType, block.data);
    case "resource_link":
      return [`[${block.title ?? block.name}](${block.uri})`, block.description].filter(Boolean).join(": ");
    case "resource": {
      const { resource } = block;
      if ("text" in resource) return `${resource.uri}:\n${resource.text}`;
      return unreadable(`The resource ${resource.uri}`, resource.mimeType, resource.blob);
    }
  }
}

function unreadable(what: string, mimeType: string | undefined, base64: string): string {
  const bytes = Buffer.byteLength(base64, "base64").toLocaleString("en");
  return `[${what} (${mimeType ?? "unknown type"}, ${bytes} bytes), which is kept on record and cannot be shown here.]`;
}
