import { resolveAnnotations, type ToolDeclaration } from "@bridle/protocol";
import type { Tool } from "@modelcontextprotocol/server";

/** Describes a tool in the protocol's format. Contains every hint, because clients assume different defaults. */
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
