import { readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { fileURLToPath } from "node:url";

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

export function explainFailure(error: unknown, path: string): Failure {
  if (!(error instanceof Error)) {
    return { message: `the module threw ${JSON.stringify(error) ?? String(error)} while it was loaded.` };
  }
  const reason = error.message.split("\n")[0]?.replace(/\.$/, "") ?? "";
  if ("code" in error && error.code === "ERR_MODULE_NOT_FOUND") {
    return { message: `the module imports what is not there: ${reason}.` }; // its stack names Node's own files only
  }
  const isSyntax = error instanceof SyntaxError;
  const place = firstPlace(error.stack) ?? (isSyntax ? syntaxPlace(path) : undefined);
  const what = isSyntax ? "cannot be read" : "threw while it was loaded";
  return { ...(place && { place }), message: `the module ${what}: ${reason}.` };
}

const ownFolder = fileURLToPath(new URL(".", import.meta.url));
const places = /(?:(file:\/\/[^\s()]+?)|^(\/.+?|[A-Za-z]:\\.+?)):(\d+)(?::(\d+))?(?=[\s)]|$)/gm;

/**
 * The first place in the user's own files. A stack names them as `file:///x/tools.ts:3:7` in its calls, and as
 * `/x/tools.ts:3` above a syntax error.
 */
function firstPlace(stack = ""): Place | undefined {
  for (const [, url, absolute = "", line, column] of stack.matchAll(places)) {
    const path = url === undefined ? absolute : fileURLToPath(url);
    if (path.startsWith(ownFolder) || path.includes("/node_modules/")) continue;
    return { path, line: Number(line), ...(column !== undefined && { column: Number(column) }) };
  }
  return undefined;
}

/** For JavaScript Node keeps the place of a syntax error to itself; the parser for TypeScript tells it. */
function syntaxPlace(path: string): Place | undefined {
  try {
    stripTypeScriptTypes(readFileSync(path, "utf8"), { sourceUrl: path });
    return undefined;
  } catch (error) {
    return error instanceof Error ? firstPlace(error.stack) : undefined;
  }
}
