import { readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { formatPosition } from "@bridle/core";
import type { Cli } from "../cli/cli.ts";

interface Place {
  readonly path: string;
  readonly line: number;
  readonly column?: number;
}

/** Why a module could not be loaded, and where, as far as that can be told: in it, or in a module that it imports. */
export interface Failure {
  readonly place?: Place;
  /** One sentence, without the remedy. */
  readonly message: string;
}

export function explainFailure(error: unknown, path: string, packageRoot: string): Failure {
  if (!(error instanceof Error)) return { message: `the module threw ${reasonOf(error)} while it was loaded.` };
  if ("code" in error && error.code === "ERR_MODULE_NOT_FOUND") {
    return { message: `the module imports what is not there: ${reasonOf(error)}.` }; // its stack names Node's own files only
  }
  const isSyntax = error instanceof SyntaxError;
  const place = firstPlace(error.stack, packageRoot) ?? (isSyntax ? syntaxPlace(path, packageRoot) : undefined);
  const what = isSyntax ? "cannot be read" : "threw while it was loaded";
  return { ...(place && { place }), message: `the module ${what}: ${reasonOf(error)}.` };
}

/** The sentence about an error of a tool that reached the process instead of its call. */
export function explainFault(error: unknown, { cwd, packageRoot }: Pick<Cli, "cwd" | "packageRoot">): string {
  const place = error instanceof Error ? firstPlace(error.stack, packageRoot) : undefined;
  const where = place ? ` (${formatPosition({ ...place, file: relative(cwd, place.path) })})` : "";
  return `A tool failed outside of its call: ${reasonOf(error)}${where}. Let it await what it starts, and return or throw.`;
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return JSON.stringify(error) ?? String(error);
  return error.message.split("\n")[0]?.replace(/\.$/, "") ?? "";
}

const places = /(?:(file:\/\/[^\s()]+?)|^(\/.+?|[A-Za-z]:\\.+?)):(\d+)(?::(\d+))?(?=[\s)]|$)/gm;

/**
 * The first place in the user's own files. A stack names them as `file:///x/tools.ts:3:7` in its calls, and as
 * `/x/tools.ts:3` above a syntax error.
 */
function firstPlace(stack = "", packageRoot: string): Place | undefined {
  const own = ["bin", "src", "dist"].map((folder) => join(packageRoot, folder, "/"));
  for (const [, url, absolute = "", line, column] of stack.matchAll(places)) {
    const path = url === undefined ? absolute : fileURLToPath(url);
    if (own.some((folder) => path.startsWith(folder)) || path.includes("/node_modules/")) continue;
    return { path, line: Number(line), ...(column !== undefined && { column: Number(column) }) };
  }
  return undefined;
}

/** For JavaScript Node keeps the place of a syntax error to itself; the parser for TypeScript tells it. */
function syntaxPlace(path: string, packageRoot: string): Place | undefined {
  try {
    stripTypeScriptTypes(readFileSync(path, "utf8"), { sourceUrl: path });
    return undefined;
  } catch (error) {
    return error instanceof Error ? firstPlace(error.stack, packageRoot) : undefined;
  }
}
