import { accessSync, constants, readdirSync, statSync } from "node:fs";
import { basename, dirname, relative, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { type AnyTool, ConfigError, createToolbox, isBridleError, suggestion } from "@bridle/core";
import type { Cli } from "../cli/cli.ts";
import { explainFailure } from "./explain-failure.ts";
import { resolveOwnPackages } from "./resolve-own.ts";

type Surroundings = Pick<Cli, "cwd" | "packageRoot" | "onFault">;

/**
 * The tools that a TypeScript or JavaScript module exports as its default. Node loads it as it is: no build step.
 * Throws ConfigError, naming the file and the way out, for everything that can be wrong with it.
 */
export async function loadTools(file: string, surroundings: Surroundings): Promise<readonly AnyTool[]> {
  const path = resolve(surroundings.cwd, file);
  requireFile(file, path);
  resolveOwnPackages(surroundings.packageRoot);
  const module = await load(path, file, surroundings);
  const tools = requireArray(module, file);
  try {
    createToolbox(tools);
    return tools;
  } catch (cause) {
    if (isBridleError(cause)) throw refuse(file, cause.message, cause);
    throw cause;
  }
}

async function load(path: string, file: string, { cwd, packageRoot, onFault }: Surroundings): Promise<object> {
  const failed = Promise.withResolvers<never>();
  const dispose = onFault(failed.reject);
  const onIdle = () => failed.reject(refuse(file, `the module never finishes loading: ${unsettled}`));
  process.once("beforeExit", onIdle);
  try {
    return await Promise.race([import(pathToFileURL(path).href), failed.promise]);
  } catch (cause) {
    if (isBridleError(cause)) throw cause;
    const { place, message } = explainFailure(cause, path, packageRoot);
    const position = { ...place, file: place && place.path !== path ? relative(cwd, place.path) : file };
    throw new ConfigError(`${message} Mend it and run again.`, { position, field: "--tools", cause });
  } finally {
    process.off("beforeExit", onIdle);
    dispose();
  }
}

const unsettled = "it awaits at its top level what never comes. Await that in a tool, or leave it out.";

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

function requireFile(file: string, path: string): void {
  const found = kindOf(path);
  if (found === "file") return;
  const message =
    found === "folder"
      ? `The tools file ${file} is a folder. Name a module in it after --tools.`
      : found === "ENOENT" || found === "ENOTDIR"
        ? `The tools file ${file} does not exist. Correct the path after --tools.${nearTo(path)}`
        : `The tools file ${file} cannot be read (${found}). Allow reading it, or correct the path after --tools.`;
  throw new ConfigError(message, { field: "--tools" });
}

/** `file`, `folder`, or the code of the error. */
function kindOf(path: string): string {
  try {
    if (statSync(path).isDirectory()) return "folder";
    accessSync(path, constants.R_OK);
    return "file";
  } catch (error) {
    return error instanceof Error && "code" in error ? String(error.code) : String(error);
  }
}

function nearTo(path: string): string {
  try {
    return suggestion(basename(path), readdirSync(dirname(path)));
  } catch {
    return "";
  }
}

function refuse(file: string, message: string, cause?: unknown): ConfigError {
  return new ConfigError(message, { position: { file }, field: "--tools", cause });
}

function nameOf(value: unknown): string {
  if (value === null) return "null";
  if (typeof value === "object") return "name" in value ? `one tool (${String(value.name)})` : "an object";
  return `a ${typeof value}`;
}
