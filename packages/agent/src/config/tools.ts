/** `tools`: one schema for each kind. A kind is its folder, a line here, and its case in `open-tools.ts`. */
import { z } from "zod";
import { documentsToolConfig } from "../documents/documents-config.ts";
import { functionToolConfig } from "../function/function-config.ts";
import { mcpToolConfig } from "../mcp/mcp-config.ts";

/** A kind that other tools have, and we do not. */
const promptTool = z
  .looseObject({ type: z.literal("prompt").describe("Not supported: use a function that asks a model, or a skill.") })
  .check(({ value, issues }) => {
    const message =
      "is prompt, which is not supported: write a function tool that asks a model, or a skill with the text.";
    issues.push({ code: "custom", input: value, path: ["type"], message });
  });

export const toolSchema = z.discriminatedUnion("type", [
  functionToolConfig,
  mcpToolConfig,
  documentsToolConfig,
  promptTool,
]);

export type ToolConfig = z.output<typeof toolSchema>;
