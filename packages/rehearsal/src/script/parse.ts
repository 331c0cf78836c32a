import { ConfigError, formatPosition } from "@bridle/protocol";
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
 * `file` is only for messages. Throws one `ConfigError` that names every fault with its line and column; its
 * `position` and `field` are those of the first.
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
    ...at(offsetOf(document, problem)),
    field: fieldOf(problem),
    message: problem.message,
  }));
  throw toError(located.toSorted((a, b) => a.line - b.line || a.column - b.column));
}

/** Aliases are resolved here: to anchors that do not exist, or in a circle, they have no value. */
function toValue(document: Document.Parsed<ParsedNode>, file: string): unknown {
  try {
    const value: unknown = document.toJS();
    JSON.stringify(value);
    return value;
  } catch (error) {
    const [reason] = (error instanceof Error ? error.message : String(error)).split("\n");
    throw new ConfigError(`not YAML: ${reason}. Write the value out where the alias stands.`, { position: { file } });
  }
}

function toError(problems: readonly Located[]): ConfigError {
  const [first, ...rest] = problems;
  if (first === undefined) return new ConfigError("The script could not be read.");
  const { file, line, column, field } = first;
  const message = [first.message, ...rest.map((each) => `${formatPosition(each)}: ${each.message}`)].join("\n");
  return new ConfigError(message, { position: { file, line, column }, ...(field !== "" && { field }) });
}

/** Where a problem stands: its key, else its value, else what holds it. */
function offsetOf(document: Document.Parsed<ParsedNode>, { path, key }: ScriptProblem): number {
  const holder: unknown = document.getIn(path, true);
  if (key !== undefined && isMap(holder)) {
    const pair = holder.items.find((item) => isScalar(item.key) && item.key.value === key);
    if (pair !== undefined && isNode(pair.key)) return pair.key.range?.[0] ?? 0;
  }
  if (isNode(holder)) return holder.range?.[0] ?? 0;
  return path.length === 0 ? 0 : offsetOf(document, { path: path.slice(0, -1), message: "" });
}

/** `turns[0].steps[1].call`. */
function fieldOf({ path, key }: ScriptProblem): string {
  const parts = key === undefined ? path : [...path, key];
  return parts
    .map((part) => (typeof part === "number" ? `[${part}]` : `.${String(part)}`))
    .join("")
    .replace(/^\./, "");
}
