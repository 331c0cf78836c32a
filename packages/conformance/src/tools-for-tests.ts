import { type AnyTool, defineTool, type ToolAnnotations } from "@bridle/protocol";
import { z } from "zod";

/** Creates a tool that adds its inputs to `calls` and returns its input. */
export function echo(name: string, calls: unknown[] = [], annotations: ToolAnnotations = {}): AnyTool {
  return defineTool({
    name,
    description: `Repeats its input (${name}).`,
    input: z.object({ value: z.string().default("") }),
    annotations,
    execute: async (input) => {
      calls.push(input);
      return `${name} says ${input.value}`;
    },
  });
}

/** Returns a call to `echo`. */
export function call(tool: string, value = "x") {
  return { tool, input: { value } };
}
