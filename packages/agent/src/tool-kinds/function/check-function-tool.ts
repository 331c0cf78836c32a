import { extname } from "node:path";
import type { UserModule } from "@bridle/project";
import { ConfigError, isBridleError } from "@bridle/protocol";
import { isPython } from "../../python/is-python.ts";
import { describeParameters } from "./described-parameters.ts";
import type { FunctionToolConfig } from "./function-config.ts";

const endings = [".ts", ".mts", ".cts", ".js", ".mjs", ".cjs"];

/** Names the module of a tool, for errors about the tool. */
export function moduleOf({ file, name }: FunctionToolConfig, baseDir: string): UserModule {
  return { file, baseDir, kind: "function file", where: `in "file" of the tool ${name}`, field: "file" };
}

/** Refuses a file that cannot be loaded, and parameters that are not a JSON Schema. Loads no code. Throws ConfigError. */
export function checkFunctionTool(config: FunctionToolConfig): void {
  if (!isPython(config)) requireEnding(config.file);
  try {
    if (config.parameters) describeParameters(config.parameters, config.name);
  } catch (cause) {
    if (isBridleError(cause)) throw new ConfigError(cause.message, { field: "parameters", cause });
    throw cause;
  }
}

function requireEnding(file: string): void {
  const ending = extname(file);
  if (!endings.includes(ending))
    throw new ConfigError(`The function file ${file} ${refusalOf(ending)}`, { field: "file" });
}

function refusalOf(ending: string): string {
  if (ending === ".py") return "is a Python file, but runtime is node. Remove runtime.";
  const found = ending === "" ? "has no ending" : `has the ending ${ending}`;
  return `${found}, so it cannot be loaded. Use one of ${endings.join(", ")}.`;
}
