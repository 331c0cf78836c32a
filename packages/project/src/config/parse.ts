import { ConfigError, formatPosition, isPlainObject, type SourcePosition } from "@bridle/core";
import { type Document, isAlias, isMap, isNode, isScalar, LineCounter, type ParsedNode, parseDocument } from "yaml";
import { findPlaces, type Places } from "./places.ts";
import { type Problem, toProblems } from "./problems.ts";
import { type Config, configSchema } from "./schema.ts";
import { typedSecrets } from "./typed-secrets.ts";
import { findUnsupported, syntaxMessage } from "./unsupported.ts";
import { type Environment, type EnvironmentValue, fillVariables } from "./variables.ts";

type ParsedDocument = Document.Parsed<ParsedNode>;

/** A file's settings, where they stand, and what of them came from the environment. */
export interface ParsedConfig extends Places {
  readonly config: Config;
  /** What is concealed wherever it would be shown: values of the environment, and credentials that the file holds. */
  readonly values: readonly EnvironmentValue[];
  /** Paths of credentials that stand in the file itself. */
  readonly typed: readonly string[];
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
  const unsupported = findUnsupported(document); // and its consequences are left out
  if (unsupported.length > 0) throw toError(unsupported, file, lines);
  const filled = fillVariables(document, environment);
  const { written, problems } = filled;
  const places = findPlaces(document, filled, (offset) => at(offset, file, lines));
  const value = withoutPaths(toValue(document, file) ?? {}, Object.keys(places.absent));
  const checked = configSchema.safeParse(value, { reportInput: true });
  if (checked.success && problems.length === 0) {
    const typed = typedSecrets(checked.data, places);
    return {
      config: checked.data,
      values: [...filled.values, ...typed],
      typed: typed.filter(({ isOpen }) => isOpen).map(({ path }) => path),
      ...places,
    };
  }

  const misfits = checked.error?.issues.flatMap((issue) => toProblems(issue, writtenAt(document, issue.path, written)));
  // A value that is not there yet cannot be judged, and complaining of it twice would only distract.
  const missing = new Set(problems.map(({ offset }) => offset));
  const located = misfits?.map((problem) => locate(document, problem)).filter(({ offset }) => !missing.has(offset));
  throw toError([...problems, ...(located ?? [])], file, lines);
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

/** The same value with these paths left out. */
function withoutPaths(value: unknown, paths: readonly string[]): unknown {
  if (paths.length === 0 || !isPlainObject(value)) return value;
  const kept = Object.entries(value).filter(([key]) => !paths.includes(key));
  return Object.fromEntries(kept.map(([key, inner]) => [key, withoutPaths(inner, within(key, paths))]));
}

function within(key: string, paths: readonly string[]): string[] {
  return paths.flatMap((path) => (path.startsWith(`${key}.`) ? [path.slice(key.length + 1)] : []));
}

function writtenAt(document: ParsedDocument, path: readonly PropertyKey[], written: ReadonlyMap<unknown, string>) {
  const node: unknown = document.getIn(path, true);
  return written.get(isAlias(node) ? node.resolve(document) : node);
}

function toError(problems: readonly Located[], file: string, lines: LineCounter): ConfigError {
  const sorted = problems.toSorted((a, b) => a.offset - b.offset);
  const [first, ...rest] = sorted.map((problem) => ({ ...problem, position: at(problem.offset, file, lines) }));
  if (first === undefined) return new ConfigError("The file could not be read.", { position: { file } });
  const message = [first.message, ...rest.map((each) => `${formatPosition(each.position)}: ${each.message}`)].join(
    "\n",
  );
  const { position, field } = first;
  return new ConfigError(message, { position, ...(field !== undefined && { field }) });
}

function at(offset: number, file: string, lines: LineCounter): SourcePosition {
  const { line, col } = lines.linePos(offset);
  return { file, line, column: col };
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
