import { join } from "node:path";
import { createToolbox } from "@bridle/core";
import { type LoadModuleOptions, loadUserModule, refuseModule, type UserModule } from "@bridle/project";
import { type AnyTool, isBridleError } from "@bridle/protocol";
import type { Cli } from "../cli/cli.ts";
import { resolveOwnPackages } from "./resolve-own.ts";

type Surroundings = Pick<Cli, "cwd" | "packageRoot" | "onFault">;

/**
 * The tools that a TypeScript or JavaScript module exports as its default. Node loads it as it is: no build step.
 * Throws ConfigError, naming the file and the way out, for everything that can be wrong with it.
 */
export async function loadTools(
  file: string,
  { cwd, packageRoot, onFault }: Surroundings,
): Promise<readonly AnyTool[]> {
  const source: UserModule = { file, baseDir: cwd, kind: "tools file", where: "after --tools", field: "--tools" };
  resolveOwnPackages(packageRoot);
  const tools = requireArray(await loadUserModule(source, loadingIn({ onFault, packageRoot })), source);
  try {
    createToolbox(tools);
    return tools;
  } catch (cause) {
    if (isBridleError(cause)) throw refuseModule(source, cause.message, cause);
    throw cause;
  }
}

/** What watches over the user's modules while they are loaded. */
export function loadingIn({ onFault, packageRoot }: Omit<Surroundings, "cwd">): LoadModuleOptions {
  return { onFault, ownFolders: ownFolders(packageRoot) };
}

/** Where this command's own code stands. */
export function ownFolders(packageRoot: string): readonly string[] {
  return ["bin", "src", "dist"].map((folder) => join(packageRoot, folder, "/"));
}

/** Each tool is checked as it is when the toolbox is made of them. */
function requireArray(module: object, source: UserModule): readonly AnyTool[] {
  const exported: unknown = Reflect.get(module, "default");
  const remedy = `Write "export default [tool];".`;
  if (exported === undefined) throw refuseModule(source, `the tools file has no default export. ${remedy}`);
  if (!Array.isArray(exported)) {
    throw refuseModule(source, `the default export is ${nameOf(exported)}, and has to be an array of tools. ${remedy}`);
  }
  if (exported.length === 0) throw refuseModule(source, `the array of tools is empty. ${remedy}`);
  return exported;
}

function nameOf(value: unknown): string {
  if (value === null) return "null";
  if (typeof value === "object") return "name" in value ? `one tool (${String(value.name)})` : "an object";
  return `a ${typeof value}`;
}
