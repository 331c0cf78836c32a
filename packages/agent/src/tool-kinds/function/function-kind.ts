import { shownPairs } from "@bridle/project";
import { type OpenedTools, omitUndefined, type ToolKind, type ToolOpeningContext } from "@bridle/protocol";
import { isPython, shownPython } from "../../python/is-python.ts";
import { type FunctionToolConfig, functionToolConfig } from "./function-config.ts";

export const functionKind: ToolKind<typeof functionToolConfig> = {
  type: "function",
  summary: "A function in a TypeScript or JavaScript module, or in a Python file.",
  schema: functionToolConfig,
  example: { type: "function", name: "lookup_order", file: "tools.ts", function: "lookupOrder" },
  files: [{ path: ["file"], isBehaviour: true }],
  describe: ({ file, function: exported }) => `${exported} in ${file}`,
  secrets: { mappings: ["env"] },
  effects: (config) => [{ kind: "runs", subject: describeModule(config) }],
  origin: ({ type, file, function: exported, runtime, python }) =>
    omitUndefined({ type, file, exported, runtime, python }),
  names: ({ name }) => [name],
  async check(config) {
    const { checkFunctionTool } = await import("./check-function-tool.ts");
    checkFunctionTool(config);
  },
  async checkCode(config, context) {
    const { close } = await openFunction(config, context);
    await close();
  },
  open: openFunction,
};

async function openFunction(config: FunctionToolConfig, context: ToolOpeningContext): Promise<OpenedTools> {
  if (isPython(config)) {
    const { openPythonFunction } = await import("./open-python-function.ts");
    return openPythonFunction(config, context);
  }
  const { openFunctionTool } = await import("./open-function-tool.ts");
  return openFunctionTool(config, context);
}

function describeModule({ env, ...config }: FunctionToolConfig): string {
  return `the module ${config.file} (function ${config.function})${shownPython(config)}${shownPairs("variables", env)}`;
}
