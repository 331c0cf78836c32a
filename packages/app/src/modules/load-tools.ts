import { realpathSync } from "node:fs";
import { basename, resolve } from "node:path";
import { createToolbox, sha256 } from "@bridle/core";
import { type LoadModuleOptions, loadUserModule, refuseModule, type UserModule } from "@bridle/project";
import { type AnyTool, isBridleError, override } from "@bridle/protocol";
import type { AppContext } from "../context/app-context.ts";
import { ownFolders } from "./own-folders.ts";
import { resolveOwnPackages } from "./resolve-own-packages.ts";

/**
 * Loads the tools that a TypeScript or JavaScript module exports as its default. Node.js loads the module directly, without a build step.
 * The file is recorded as the tools' source, whatever the module declares, so remembered answers apply only to tools from this file.
 *
 * @throws ConfigError with the file and the remedy if the module or a tool is invalid.
 */
export async function loadTools(
  file: string,
  { cwd, packageRoot, onFault }: Pick<AppContext, "cwd" | "packageRoot" | "onFault">,
): Promise<readonly AnyTool[]> {
  const source: UserModule = { file, baseDir: cwd, kind: "tools file", where: "after --tools", field: "--tools" };
  resolveOwnPackages(packageRoot);
  const tools = requireArray(await loadUserModule(source, moduleOptions({ onFault, packageRoot })), source);
  try {
    createToolbox(tools);
    const origin = sourceOf(resolve(cwd, file));
    return tools.map((tool) => override(tool, { source: origin }));
  } catch (cause) {
    if (isBridleError(cause)) throw refuseModule(source, cause.message, cause);
    throw cause;
  }
}

/** Identifies the file by its name and a hash of its real path, to distinguish it from other files with the same name. */
function sourceOf(path: string): string {
  return `tools file ${basename(path)} (${sha256(realpathSync(path)).slice(0, 12)})`;
}

/** Returns the options for loading the user's modules: the listener for errors in them, and the folders of Bridle's own code. */
export function moduleOptions({
  onFault,
  packageRoot,
}: Pick<AppContext, "onFault" | "packageRoot">): LoadModuleOptions {
  return { onFault, ownFolders: ownFolders(packageRoot) };
}

/** Returns the tools. The toolbox checks each of them. */
function requireArray(module: object, source: UserModule): readonly AnyTool[] {
  const exported: unknown = Reflect.get(module, "default");
  const remedy = `Write "export default [tool];".`;
  if (exported === undefined) throw refuseModule(source, `the tools file has no default export. ${remedy}`);
  if (!Array.isArray(exported)) {
    throw refuseModule(
      source,
      `the default export is ${describeValue(exported)}, expected an array of tools. ${remedy}`,
    );
  }
  if (exported.length === 0) throw refuseModule(source, `the array of tools is empty. ${remedy}`);
  return exported;
}

function describeValue(value: unknown): string {
  if (value === null) return "null";
  if (typeof value === "object") return "name" in value ? `one tool (${String(value.name)})` : "an object";
  return `a ${typeof value}`;
}
