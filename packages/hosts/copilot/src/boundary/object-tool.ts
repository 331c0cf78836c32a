/**
 * Replaces structured output, which the runtime does not have, with a tool that takes the object. The tool ends the turn (`isTerminal`):
 * after the model has called it, no further request follows.
 */
import type { JsonSchema } from "@bridle/protocol";
import type { Tool } from "@github/copilot-sdk";

/** The tool's name. It must not be the name of a tool that the caller passes. */
export const objectToolName = "StructuredOutput";

export function objectTool(schema: JsonSchema, onObject: (object: unknown) => void): Tool {
  return {
    name: objectToolName,
    description: "Return your final answer with this tool, in its schema. Call it once, at the end of your work.",
    parameters: schema,
    isTerminal: true,
    defer: "never",
    overridesBuiltInTool: true,
    handler: (object) => {
      onObject(object);
      return "The answer was received.";
    },
  };
}
