import type { ToolOutput } from "@bridle/protocol";
import type { CallToolResult, ContentBlock } from "@modelcontextprotocol/client";

/**
 * Turns a server's result into the output of a tool. The model gets the text, and a note for each image, sound or other
 * binary part. The event log gets everything. Throws an Error if the server reports a failed call.
 */
export function toMcpOutput({ content, structuredContent, isError }: CallToolResult): ToolOutput {
  const text = content.map(toText).join("\n\n");
  if (isError) throw new Error(text || "The server reported that the call failed, without a reason.");
  const structured = structuredContent ?? (content.every(isReadable) ? undefined : { content });
  if (text === "" && structuredContent !== undefined)
    return { markdown: JSON.stringify(structuredContent), structured };
  return { markdown: text || "(The result is empty.)", ...(structured !== undefined && { structured }) };
}

/** Whether the text has everything that is in the block. */
function isReadable(block: ContentBlock): boolean {
  return (
    block.type === "text" || block.type === "resource_link" || (block.type === "resource" && "text" in block.resource)
  );
}

function toText(block: ContentBlock): string {
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

function unreadable(part: string, mimeType: string | undefined, base64: string): string {
  const bytes = Buffer.byteLength(base64, "base64").toLocaleString("en");
  return `[${part} (${mimeType ?? "unknown type"}, ${bytes} bytes), which is in the event log and cannot be shown here.]`;
}
