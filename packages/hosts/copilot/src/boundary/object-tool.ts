/**
 * The runtime has no structured output. A tool that ends the turn (`isTerminal`) takes the object: the model calls it, and
 * no further request follows.
 */
import type { JsonSchema } from "@bridle/protocol";
import type { Tool } from "@github/copilot-sdk";

/** No name of a tool of ours, which have no capital letters of this kind on other hosts either. */
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
