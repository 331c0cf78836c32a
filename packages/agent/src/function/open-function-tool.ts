import { extname } from "node:path";
import { createToolbox } from "@bridle/core";
import { loadUserModule, refuseModule, type UserModule } from "@bridle/project";
import { isBridleError, suggestion } from "@bridle/protocol";
import type { OpenedTools, Surroundings } from "../opening/opened-tools.ts";
import type { FunctionToolConfig } from "./function-config.ts";
import { toTool } from "./to-tool.ts";

const endings = [".ts", ".mts", ".cts", ".js", ".mjs", ".cjs"];

/** A module that takes longer than this to load is given up. */
const loadMs = 30_000;

/**
 * Opens a tool that is a function of a module. Throws ConfigError, naming the file and the export, for everything that
 * can be wrong with either.
 */
export async function openFunctionTool(
  config: FunctionToolConfig,
  { baseDir, loading }: Pick<Surroundings, "baseDir" | "loading">,
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
    const tool = toTool(exported, config);
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
      'Python does not run here. Serve the function by an MCP server (type: mcp, such as command: uvx), or call Python in a TypeScript function with node:child_process and name that in "file".',
    );
  }
  const found = ending === "" ? "no ending" : `the ending ${ending}`;
  throw refuseModule(source, `a function file with ${found} cannot be loaded. Use one of ${endings.join(", ")}.`);
}

function findExport(module: object, { function: name }: FunctionToolConfig, source: UserModule): unknown {
  const exported: unknown = Reflect.get(module, name);
  if (exported !== undefined) return exported;
  const names = Object.keys(module);
  const what = name === "default" ? "default export" : `export named "${name}"`;
  const there = names.length === 0 ? " It exports nothing." : ` It exports ${names.join(", ")}.`;
  throw refuseModule(source, `the module has no ${what}.${suggestion(name, names) || there}`);
}
