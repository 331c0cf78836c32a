import { readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { fileURLToPath } from "node:url";

/** A place in a file; lines and columns count from 1. */
interface Place {
  readonly path: string;
  readonly line: number;
  readonly column?: number;
}

/** Why a module could not be loaded, and where, as far as that can be told: in it, or in a module that it imports. */
export interface ModuleFailure {
  readonly place?: Place;
  /** One sentence, without the remedy. */
  readonly message: string;
}

/** `ownFolders` are those of the program that loads: no place in them is the module's. */
export function explainFailure(error: unknown, path: string, ownFolders: readonly string[]): ModuleFailure {
  if (!(error instanceof Error)) return { message: `the module threw ${firstLineOf(error)} while it was loaded.` };
  if ("code" in error && error.code === "ERR_MODULE_NOT_FOUND") {
    return { message: `the module imports what is not there: ${firstLineOf(error)}.` }; // its stack names Node's own files only
  }
  const isSyntax = error instanceof SyntaxError;
  const place = placeOf(error, ownFolders) ?? (isSyntax ? syntaxPlace(path, ownFolders) : undefined);
  const what = isSyntax ? "cannot be read" : "threw while it was loaded";
  return { ...(place && { place }), message: `the module ${what}: ${firstLineOf(error)}.` };
}

/** What an error says, on one line and without its full stop. */
export function firstLineOf(error: unknown): string {
  if (!(error instanceof Error)) return JSON.stringify(error) ?? String(error);
  return error.message.split("\n")[0]?.replace(/\.$/, "") ?? "";
}

const places = /(?:(file:\/\/[^\s()]+?)|^(\/.+?|[A-Za-z]:\\.+?)):(\d+)(?::(\d+))?(?=[\s)]|$)/gm;

/**
 * The first place in the user's own files. A stack names them as `file:///x/tools.ts:3:7` in its calls, and as
 * `/x/tools.ts:3` above a syntax error.
 */
export function placeOf({ stack = "" }: Error, ownFolders: readonly string[]): Place | undefined {
  for (const [, url, absolute = "", line, column] of stack.matchAll(places)) {
    const path = url === undefined ? absolute : fileURLToPath(url);
    if (ownFolders.some((folder) => path.startsWith(folder)) || path.includes("/node_modules/")) continue;
    return { path, line: Number(line), ...(column !== undefined && { column: Number(column) }) };
  }
  return undefined;
}

/** For JavaScript Node keeps the place of a syntax error to itself; the parser for TypeScript tells it. */
function syntaxPlace(path: string, ownFolders: readonly string[]): Place | undefined {
  try {
    stripTypeScriptTypes(readFileSync(path, "utf8"), { sourceUrl: path });
    return undefined;
  } catch (error) {
    return error instanceof Error ? placeOf(error, ownFolders) : undefined;
  }
}
