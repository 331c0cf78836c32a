import { readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { pathToFileURL } from "node:url";

/** Why a module could not be loaded, and where in it, as far as that can be told. */
export interface Failure {
  readonly line?: number;
  readonly column?: number;
  /** A sentence or more, without the remedy. */
  readonly message: string;
}

export function explainFailure(error: unknown, path: string): Failure {
  if (!(error instanceof Error))
    return { message: `the module threw ${JSON.stringify(error) ?? String(error)} while it was loaded.` };
  const place = positionIn(error.stack, path) ?? (error instanceof SyntaxError ? syntaxPosition(path) : undefined);
  return { ...place, message: sentence(error) };
}

function sentence(error: Error): string {
  const message = error.message.split("\n")[0]?.replace(/\.$/, "") ?? "";
  if (error instanceof SyntaxError) return `the module cannot be read: ${message}.`;
  if ("code" in error && error.code === "ERR_MODULE_NOT_FOUND")
    return `the module imports what is not there: ${message}.`;
  return `the module threw while it was loaded: ${message}.`;
}

/** The first place in the file that a stack names: `file:///x/tools.ts:3:7`, or the `/x/tools.ts:3` above a syntax error. */
function positionIn(stack: string | undefined, path: string): Pick<Failure, "line" | "column"> | undefined {
  for (const name of [pathToFileURL(path).href, path]) {
    const start = stack?.indexOf(`${name}:`) ?? -1;
    const [, line, column] =
      start < 0 ? [] : (/^:(\d+)(?::(\d+))?/.exec(stack?.slice(start + name.length) ?? "") ?? []);
    if (line !== undefined) return { line: Number(line), ...(column !== undefined && { column: Number(column) }) };
  }
  return undefined;
}

/** For JavaScript Node keeps the place of a syntax error to itself; the parser for TypeScript tells it. */
function syntaxPosition(path: string): Pick<Failure, "line" | "column"> | undefined {
  try {
    stripTypeScriptTypes(readFileSync(path, "utf8"), { sourceUrl: path });
    return undefined;
  } catch (error) {
    return error instanceof Error ? positionIn(error.stack, path) : undefined;
  }
}
