import { resolveAnnotations, type ToolDeclaration } from "@bridle/protocol";
import type { Tool } from "@modelcontextprotocol/server";

/** A tool in the format of the protocol. Every hint is written, because clients assume different defaults. */
export function describeTool({ name, description, inputSchema, annotations }: ToolDeclaration): Tool {
  const { readOnly, destructive, idempotent, openWorld } = resolveAnnotations(annotations);
  return {
    name,
    description,
    inputSchema: { ...inputSchema, type: "object" },
    annotations: {
      readOnlyHint: readOnly,
      destructiveHint: destructive,
      idempotentHint: idempotent || readOnly,
      openWorldHint: openWorld,
    },
  };
}
