import { editorSchema, type JsonSchemaDocument } from "@bridle/project";
import type { ToolKind } from "@bridle/protocol";
import { createAgentSchema } from "../config/schema.ts";
import { toolKinds } from "../tool-kinds/registry.ts";

/** Creates the JSON Schema of an agent file, for editors. `kinds` are the tool kinds that the file may contain. */
export function agentJsonSchema(kinds: readonly ToolKind[] = toolKinds): JsonSchemaDocument {
  return editorSchema(createAgentSchema(kinds));
}
