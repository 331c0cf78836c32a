import { ConfigError, formatPosition, omitUndefined } from "@bridle/protocol";
import { type Document, isMap, isNode, isScalar, LineCounter, type ParsedNode, parseDocument } from "yaml";
import { normalise } from "./normalise.ts";
import { checkScript, type ScriptProblem } from "./problems.ts";
import type { Script } from "./script.ts";

interface Located {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly field: string;
  readonly message: string;
}

/**
 * Reads a rehearsal script from YAML text.
 *
 * `file` is used only in messages. Throws one `ConfigError` that lists every problem with its line and column. The error's `position` and
 * `field` belong to the first problem.
 *
 * @example parseScript('rehearsal: 1\nturns:\n  - steps: [{ say: "Hello" }]', "hello.yaml")
 */
export function parseScript(text: string, file = "script"): Script {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const at = (offset: number) => ({ file, line: lines.linePos(offset).line, column: lines.linePos(offset).col });
  if (document.errors.length > 0)
    throw toError(
      document.errors.map(({ pos, message }) => ({ ...at(pos[0]), field: "", message: `not YAML: ${message}` })),
    );

  const checked = checkScript(toValue(document, file));
  if ("fields" in checked) return normalise(checked.fields, file);
  const located = checked.problems.map((problem) => ({
    ...at(findOffset(document, problem)),
    field: fieldOf(problem),
    message: problem.message,
  }));
  throw toError(located.toSorted((a, b) => a.line - b.line || a.column - b.column));
}

/** Returns the value of a document, with aliases resolved. An alias without an anchor, or in a circle, has no value. */
function toValue(document: Document.Parsed<ParsedNode>, file: string): unknown {
  try {
    const value: unknown = document.toJS();
    JSON.stringify(value);
    return value;
  } catch (error) {
    const [reason] = (error instanceof Error ? error.message : String(error)).split("\n");
    throw new ConfigError(`not YAML: ${reason}. Write the value in place of the alias.`, { position: { file } });
  }
}

function toError(problems: readonly Located[]): ConfigError {
  const [first, ...rest] = problems;
  if (first === undefined) return new ConfigError("The script could not be read.");
  const { file, line, column, field } = first;
  const message = [first.message, ...rest.map((each) => `${formatPosition(each)}: ${each.message}`)].join("\n");
  return new ConfigError(message, omitUndefined({ position: { file, line, column }, field: field || undefined }));
}

/** Returns the offset of a problem: that of its key, its value or, if neither exists, the node around it. */
function findOffset(document: Document.Parsed<ParsedNode>, { path, key }: ScriptProblem): number {
  const holder: unknown = document.getIn(path, true);
  if (key !== undefined && isMap(holder)) {
    const pair = holder.items.find((item) => isScalar(item.key) && item.key.value === key);
    if (pair !== undefined && isNode(pair.key)) return pair.key.range?.[0] ?? 0;
  }
  if (isNode(holder)) return holder.range?.[0] ?? 0;
  return path.length === 0 ? 0 : findOffset(document, { path: path.slice(0, -1), message: "" });
}

/** Returns a problem's field, such as `turns[0].steps[1].call`. */
function fieldOf({ path, key }: ScriptProblem): string {
  const parts = key === undefined ? path : [...path, key];
  return parts
    .map((part) => (typeof part === "number" ? `[${part}]` : `.${String(part)}`))
    .join("")
    .replace(/^\./, "");
}
