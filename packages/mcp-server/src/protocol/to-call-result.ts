import { isPlainObject } from "@bridle/protocol";
import type { CallToolResult } from "@modelcontextprotocol/server";
import type { ClientReply } from "../calls/client-calls.ts";

/** The reply of a tool in the form of the protocol: text, images and, on request, structured data for programs. */
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
