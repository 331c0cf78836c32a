import nodeModule from "node:module";
import { fileURLToPath } from "node:url";
import { readTextFileSync } from "@bridle/core";

/** A position in a file. Lines and columns start at 1. */
interface UserPosition {
  readonly path: string;
  readonly line: number;
  readonly column?: number;
}

/** Why a module could not be loaded, with the position if it is known. The position may be in an imported module. */
export interface ModuleFailure {
  readonly position?: UserPosition;
  /** The reason in one sentence, without the remedy. */
  readonly message: string;
}

/** Explains why a module failed to load. Positions in `ownFolders`, the folders of the loading program, are skipped. */
export function explainFailure(error: unknown, path: string, ownFolders: readonly string[]): ModuleFailure {
  if (!(error instanceof Error)) return { message: `the module threw ${firstLineOf(error)} while it was loaded.` };
  if ("code" in error && error.code === "ERR_MODULE_NOT_FOUND") {
    return { message: `the module has an import that cannot be resolved: ${firstLineOf(error)}.` }; // its stack names only files of Node.js
  }
  const isSyntax = error instanceof SyntaxError;
  const position = findUserPosition(error, ownFolders) ?? (isSyntax ? findSyntaxPosition(path, ownFolders) : undefined);
  const what = isSyntax ? "cannot be read" : "threw while it was loaded";
  return { ...(position && { position }), message: `the module ${what}: ${firstLineOf(error)}.` };
}

/** Returns the first line of an error's message, without its full stop. */
export function firstLineOf(error: unknown): string {
  if (!(error instanceof Error)) return JSON.stringify(error) ?? String(error);
  return error.message.split("\n")[0]?.replace(/\.$/, "") ?? "";
}

const stackPositions = /(?:(file:\/\/[^\s()]{1,4096}?)|^(\/.+?|[A-Za-z]:\\.+?)):(\d+)(?::(\d+))?(?=[\s)]|$)/gm;

/**
 * Finds the first position in a stack that is in the user's own files. A stack contains positions such as `file:///x/tools.ts:3:7` for
 * calls, and `/x/tools.ts:3` above a syntax error.
 */
export function findUserPosition({ stack = "" }: Error, ownFolders: readonly string[]): UserPosition | undefined {
  for (const [, url, absolute = "", line, column] of stack.matchAll(stackPositions)) {
    const path = url === undefined ? absolute : fileURLToPath(url);
    if (ownFolders.some((folder) => path.startsWith(folder)) || path.includes("/node_modules/")) continue;
    return { path, line: Number(line), ...(column !== undefined && { column: Number(column) }) };
  }
  return undefined;
}

/** Finds a JavaScript syntax error with Node.js's TypeScript parser, because Node.js itself reports no position. Bun has no such parser. */
function findSyntaxPosition(path: string, ownFolders: readonly string[]): UserPosition | undefined {
  try {
    nodeModule.stripTypeScriptTypes?.(readTextFileSync(path), { sourceUrl: path });
    return undefined;
  } catch (error) {
    return error instanceof Error ? findUserPosition(error, ownFolders) : undefined;
  }
}
