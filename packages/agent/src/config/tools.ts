import { z } from "zod";
import { text } from "./fields.ts";

/** One entry of `tools`. */
export const toolSchema = z.looseObject({
  type: z
    .enum(["function", "mcp", "documents", "vectorstore", "hierarchical_document"])
    .describe("What kind of tool it is."),
  name: text("Its name, as the model has it."),
});

export type ToolConfig = z.output<typeof toolSchema>;
