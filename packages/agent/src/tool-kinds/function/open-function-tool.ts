import { createToolbox } from "@bridle/core";
import { loadUserModule, refuseModule, type UserModule } from "@bridle/project";
import { isBridleError, type OpenedTools, suggestion, type ToolOpeningContext } from "@bridle/protocol";
import { checkFunctionTool, moduleOf } from "./check-function-tool.ts";
import type { FunctionToolConfig } from "./function-config.ts";
import { toFunctionTool } from "./to-tool.ts";

/** How long a module may take to load. */
const loadMs = 30_000;

/**
 * Opens a tool that is a function in a module.
 *
 * @throws ConfigError that names the file and the export, if either cannot be used.
 */
export async function openFunctionTool(
  config: FunctionToolConfig,
  { baseDir, loading }: Pick<ToolOpeningContext, "baseDir" | "loading">,
): Promise<OpenedTools> {
  const source = moduleOf(config, baseDir);
  checkFunctionTool(config);
  const module = await loadUserModule(source, { timeoutMs: loadMs, ...loading });
  const exported = findExport(module, config, source);
  try {
    const tool = toFunctionTool(exported, config);
    createToolbox([tool]);
    return { tools: [tool], close: async () => {} };
  } catch (cause) {
    if (isBridleError(cause)) throw refuseModule(source, cause.message, cause);
    throw cause;
  }
}

function findExport(module: object, { function: name }: FunctionToolConfig, source: UserModule): unknown {
  const exported: unknown = Reflect.get(module, name);
  if (exported !== undefined) return exported;
  const names = Object.keys(module);
  const missing = name === "default" ? "default export" : `export named "${name}"`;
  const available = names.length === 0 ? " It exports nothing." : ` It exports ${names.join(", ")}.`;
  throw refuseModule(source, `the module has no ${missing}.${suggestion(name, names) || available}`);
}
