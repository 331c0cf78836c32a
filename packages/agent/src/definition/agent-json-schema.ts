import { editorSchema, type JsonSchemaDocument } from "@bridle/project";
import { agentSchema } from "../config/schema.ts";

/** The JSON Schema of an agent's file, for editors. */
export function agentJsonSchema(): JsonSchemaDocument {
  return editorSchema(agentSchema);
}
