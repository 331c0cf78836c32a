import { extname } from "node:path";
import { createToolbox } from "@bridle/core";
import { loadUserModule, refuseModule, type UserModule } from "@bridle/project";
import { isBridleError, type OpenedTools, suggestion, type ToolKindContext } from "@bridle/protocol";
import type { FunctionToolConfig } from "./function-config.ts";
import { toFunctionTool } from "./to-tool.ts";

const endings = [".ts", ".mts", ".cts", ".js", ".mjs", ".cjs"];

/** The time that a module may take to load. */
const loadMs = 30_000;

/**
 * Opens a tool that is a function of a module.
 *
 * @throws ConfigError that names the file and the export, if either cannot be used.
 */
export async function openFunctionTool(
  config: FunctionToolConfig,
  { baseDir, loading }: Pick<ToolKindContext, "baseDir" | "loading">,
): Promise<OpenedTools> {
  const source: UserModule = {
    file: config.file,
    baseDir,
    kind: "function file",
    where: `in "file" of the tool ${config.name}`,
    field: "file",
  };
  requireEnding(source);
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

function requireEnding(source: UserModule): void {
  const ending = extname(source.file);
  if (endings.includes(ending)) return;
  if (ending === ".py") {
    throw refuseModule(
      source,
      "Bridle does not run Python. Use an MCP server (type: mcp, such as command: uvx), or call Python from a TypeScript function with node:child_process.",
    );
  }
  const found = ending === "" ? "no ending" : `the ending ${ending}`;
  throw refuseModule(source, `a function file with ${found} cannot be loaded. Use one of ${endings.join(", ")}.`);
}

function findExport(module: object, { function: name }: FunctionToolConfig, source: UserModule): unknown {
  const exported: unknown = Reflect.get(module, name);
  if (exported !== undefined) return exported;
  const names = Object.keys(module);
  const missing = name === "default" ? "default export" : `export named "${name}"`;
  const available = names.length === 0 ? " It exports nothing." : ` It exports ${names.join(", ")}.`;
  throw refuseModule(source, `the module has no ${missing}.${suggestion(name, names) || available}`);
}
