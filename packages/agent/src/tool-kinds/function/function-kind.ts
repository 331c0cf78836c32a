import type { ToolKind } from "@bridle/protocol";
import { functionToolConfig } from "./function-config.ts";

export const functionKind: ToolKind<typeof functionToolConfig> = {
  type: "function",
  summary: "A function of a TypeScript or JavaScript module.",
  schema: functionToolConfig,
  example: { type: "function", name: "lookup_order", file: "tools.ts", function: "lookupOrder" },
  files: [{ path: ["file"], isBehaviour: true }],
  describe: ({ file, function: exported }) => `${exported} in ${file}`,
  effects: ({ file, function: exported }) => [{ kind: "runs", subject: `the module ${file} (function ${exported})` }],
  origin: ({ type, file, function: exported }) => ({ type, file, exported }),
  names: ({ name }) => [name],
  async check(config) {
    const { checkFunctionTool } = await import("./check-function-tool.ts");
    checkFunctionTool(config);
  },
  async open(config, context) {
    const { openFunctionTool } = await import("./open-function-tool.ts");
    return openFunctionTool(config, context);
  },
};
