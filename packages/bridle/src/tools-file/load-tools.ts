import { existsSync, readdirSync } from "node:fs";
import { basename, dirname, relative, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { type AnyTool, ConfigError, createToolbox, isBridleError, suggestion } from "@bridle/core";
import { explainFailure } from "./explain-failure.ts";
import { resolveOwnPackages } from "./resolve-own.ts";

/**
 * The tools that a TypeScript or JavaScript module exports as its default. Node loads it as it is: no build step.
 * Throws ConfigError, naming the file and the way out, for everything that can be wrong with it.
 */
export async function loadTools(file: string, cwd: string, packageRoot: string): Promise<readonly AnyTool[]> {
  const path = resolve(cwd, file);
  if (!existsSync(path)) throw missing(file, path);
  resolveOwnPackages(packageRoot);
  const module = await load(path, file, cwd);
  const tools = requireArray(module, file);
  try {
    createToolbox(tools);
    return tools;
  } catch (cause) {
    if (isBridleError(cause)) throw refuse(file, cause.message, cause);
    throw cause;
  }
}

async function load(path: string, file: string, cwd: string): Promise<object> {
  try {
    return await import(pathToFileURL(path).href);
  } catch (cause) {
    const { place, message } = explainFailure(cause, path);
    const position = { ...place, file: place && place.path !== path ? relative(cwd, place.path) : file };
    throw new ConfigError(`${message} Mend it and run again.`, { position, field: "--tools", cause });
  }
}

/** Each tool is checked as it is when the toolbox is made of them. */
function requireArray(module: object, file: string): readonly AnyTool[] {
  const exported: unknown = Reflect.get(module, "default");
  const remedy = `Write "export default [tool];".`;
  if (exported === undefined) throw refuse(file, `the tools file has no default export. ${remedy}`);
  if (!Array.isArray(exported)) {
    throw refuse(file, `the default export is ${nameOf(exported)}, and has to be an array of tools. ${remedy}`);
  }
  if (exported.length === 0) throw refuse(file, `the array of tools is empty. ${remedy}`);
  return exported;
}

function missing(file: string, path: string): ConfigError {
  const folder = dirname(path);
  const near = existsSync(folder) ? suggestion(basename(path), readdirSync(folder)) : "";
  return new ConfigError(`The tools file ${file} does not exist. Correct the path after --tools.${near}`, {
    field: "--tools",
  });
}

function refuse(file: string, message: string, cause?: unknown): ConfigError {
  return new ConfigError(message, { position: { file }, field: "--tools", cause });
}

function nameOf(value: unknown): string {
  if (value === null) return "null";
  if (typeof value === "object") return "name" in value ? `one tool (${String(value.name)})` : "an object";
  return `a ${typeof value}`;
}
