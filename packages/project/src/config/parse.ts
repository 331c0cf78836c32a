import { ConfigError, formatPosition } from "@bridle/core";
import {
  type Document,
  isAlias,
  isMap,
  isNode,
  isScalar,
  LineCounter,
  type ParsedNode,
  parseDocument,
  type YAMLParseError,
} from "yaml";
import { type Problem, toProblems } from "./problems.ts";
import { type Config, configSchema } from "./schema.ts";
import { type Environment, fillVariables } from "./variables.ts";

type ParsedDocument = Document.Parsed<ParsedNode>;

/** A file's settings, and the texts of those values that came from the environment, by path (`llm.models.default`). */
export interface ParsedConfig {
  readonly config: Config;
  readonly written: Readonly<Record<string, string>>;
}

interface Located {
  readonly offset: number;
  readonly message: string;
  readonly field?: string;
}

/**
 * Reads `bridle.yaml` from its text. `file` is only for messages. Throws one ConfigError that names every fault with
 * its line and column; `position` and `field` are those of the first.
 *
 * @example parseConfig("llm: { models: { default: opus } }", "bridle.yaml", process.env).config.llm.models.default // "opus"
 */
export function parseConfig(text: string, file: string, environment: Environment): ParsedConfig {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const [error] = document.errors; // what comes after the first is mostly its consequence
  if (error) throw toError([{ offset: error.pos[0], message: syntaxMessage(error, text) }], file, lines);
  const { written, problems } = fillVariables(document, environment);
  const checked = configSchema.safeParse(toValue(document, file) ?? {}, { reportInput: true });
  if (checked.success && problems.length === 0) return { config: checked.data, written: byPath(document, written) };

  const misfits = checked.error?.issues.flatMap((issue) => toProblems(issue, writtenAt(document, issue.path, written)));
  // A value that is not there yet cannot be judged, and complaining of it twice would only distract.
  const missing = new Set(problems.map(({ offset }) => offset));
  const located = misfits?.map((problem) => locate(document, problem)).filter(({ offset }) => !missing.has(offset));
  throw toError([...problems, ...(located ?? [])], file, lines);
}

function syntaxMessage({ message, pos }: YAMLParseError, text: string): string {
  const line = text.slice(text.lastIndexOf("\n", pos[0] - 1) + 1).split("\n")[0] ?? "";
  const remedy = line.includes("${") ? `Put "\${NAME}" in quotes where it stands between braces.` : "Correct the line.";
  return `this is not YAML: ${message.replace(/\.$/, "")}. ${remedy}`;
}

/** Aliases are resolved here: to anchors that do not exist, they have no value. */
function toValue(document: ParsedDocument, file: string): unknown {
  try {
    return document.toJS();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new ConfigError(`this is not YAML: ${reason}. Write the value out where the alias stands.`, {
      position: { file },
      cause,
    });
  }
}

function writtenAt(document: ParsedDocument, path: readonly PropertyKey[], written: ReadonlyMap<unknown, string>) {
  const node: unknown = document.getIn(path, true);
  return written.get(isAlias(node) ? node.resolve(document) : node);
}

function toError(problems: readonly Located[], file: string, lines: LineCounter): ConfigError {
  const sorted = problems.toSorted((a, b) => a.offset - b.offset);
  const at = ({ offset }: Located) => ({ file, line: lines.linePos(offset).line, column: lines.linePos(offset).col });
  const [first, ...rest] = sorted.map((problem) => ({ ...problem, position: at(problem) }));
  if (first === undefined) return new ConfigError("The file could not be read.", { position: { file } });
  const message = [first.message, ...rest.map((each) => `${formatPosition(each.position)}: ${each.message}`)].join(
    "\n",
  );
  const { position, field } = first;
  return new ConfigError(message, { position, ...(field !== undefined && { field }) });
}

/** Where a problem stands: its key, else its value, else what holds it. */
function locate(document: ParsedDocument, { path, key, message }: Problem): Located {
  const field = [...path, ...(key === undefined ? [] : [key])].join(".");
  return { offset: offsetOf(document, path, key), message, field };
}

function offsetOf(document: ParsedDocument, path: readonly PropertyKey[], key?: string): number {
  const holder: unknown = document.getIn(path, true);
  const pair = isMap(holder) && holder.items.find((item) => isScalar(item.key) && item.key.value === key);
  if (pair && isNode(pair.key)) return pair.key.range?.[0] ?? 0;
  if (isNode(holder)) return holder.range?.[0] ?? 0;
  return path.length === 0 ? 0 : offsetOf(document, path.slice(0, -1), String(path.at(-1)));
}

function byPath(document: ParsedDocument, written: ReadonlyMap<unknown, string>): Record<string, string> {
  const paths: Record<string, string> = {};
  const walk = (value: unknown, path: string) => {
    const node = isAlias(value) ? value.resolve(document) : value;
    const text = written.get(node);
    if (text !== undefined) paths[path] = text;
    if (isMap(node)) for (const { key, value: child } of node.items) walk(child, path ? `${path}.${key}` : String(key));
  };
  walk(document.contents, "");
  return paths;
}
