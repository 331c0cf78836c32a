import { isPlainObject } from "@bridle/protocol";
import type { CallToolResult } from "@modelcontextprotocol/server";
import type { ClientReply } from "../calls/client-calls.ts";

/** Converts a tool's reply to the protocol's format: text, images and, on request, structured data for programs. */
export function toCallResult(
  { output, images = [], isError, structured }: ClientReply,
  { hasStructured }: { readonly hasStructured: boolean },
): CallToolResult {
  const text = output === "" && images.length > 0 ? [] : [{ type: "text" as const, text: output }];
  const shown = images.map(({ data, mediaType }) => ({ type: "image" as const, data, mimeType: mediaType }));
  return {
    content: [...text, ...shown],
    ...(isError && { isError }),
    ...(hasStructured && isPlainObject(structured) && { structuredContent: structured }),
  };
}
