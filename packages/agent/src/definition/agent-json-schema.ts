import { editorSchema, type JsonSchemaDocument } from "@bridle/project";
import type { ToolKind } from "@bridle/protocol";
import { createAgentSchema } from "../config/schema.ts";
import { toolKinds } from "../tool-kinds/registry.ts";

/** The JSON Schema of an agent's file, for editors. `kinds` are the kinds of tools that it has. */
export function agentJsonSchema(kinds: readonly ToolKind[] = toolKinds): JsonSchemaDocument {
  return editorSchema(createAgentSchema(kinds));
}
