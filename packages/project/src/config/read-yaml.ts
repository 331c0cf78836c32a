/** Reads a YAML file of Bridle: its checked value, the position of every setting, and every problem. */
import { ConfigError, formatPosition, isPlainObject, type SourcePosition } from "@bridle/protocol";
import { type Document, isAlias, isMap, isNode, isScalar, LineCounter, type ParsedNode, parseDocument } from "yaml";
import { type FileForm, type Problem, toProblems } from "./problems.ts";
import { findSettingSources, noSettingSources, type SettingSources } from "./setting-sources.ts";
import { findEndlessAliases, findUnsupported, syntaxMessage } from "./unsupported.ts";
import { type Environment, type EnvironmentValue, fillVariables } from "./variables.ts";

type ParsedDocument = Document.Parsed<ParsedNode>;

/** A problem of a file, with its position. */
export interface FileProblem {
  readonly message: string;
  readonly position: SourcePosition;
  /** The setting's path, such as `tools.0.command`. */
  readonly field?: string;
  /** The nearest valid name. */
  readonly nearest?: string;
}

export interface YamlFile<T> extends SettingSources {
  /** The checked value; missing if there are problems. */
  readonly value?: T;
  /** The unchecked value with variables replaced, even if there are problems. */
  readonly raw: unknown;
  /** The problems, in the order of the file. */
  readonly problems: readonly FileProblem[];
  /** Strings that came from the environment. */
  readonly values: readonly EnvironmentValue[];
  /** Returns the position of the key or value at a path, or of its parent if there is none. */
  at(path: readonly PropertyKey[]): SourcePosition;
}

/** Reads a file from its text. `file` is only for messages. */
export function readYaml<T>(text: string, file: string, environment: Environment, form: FileForm<T>): YamlFile<T> {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const toPosition = (offset: number): SourcePosition => {
    const { line, col } = lines.linePos(offset);
    return { file, line, column: col };
  };
  const at = (path: readonly PropertyKey[]) => toPosition(findOffset(document, path.slice(0, -1), path.at(-1)));
  const unreadable = unreadableIn(document, text);
  if (unreadable.length > 0) {
    const problems = unreadable.map(({ offset, message }) => ({ message, position: toPosition(offset) }));
    return { raw: undefined, problems: problems.toSorted(byPosition), values: [], at, ...noSettingSources };
  }
  const filled = fillVariables(document, environment, form);
  const sources = findSettingSources(document, filled, toPosition, form);
  const raw = withoutPaths(document.toJS() ?? {}, Object.keys(sources.absent));
  const checked = form.schema.safeParse(raw, { reportInput: true });
  const written = (path: readonly PropertyKey[]) => writtenAt(document, path, filled.written);
  const misfits = checked.error?.issues.flatMap((issue) => toProblems(issue, form, { root: raw, written })) ?? [];
  // A missing variable is already reported, so its missing value is not reported, too.
  const missing = new Set(filled.problems.map(({ offset }) => offset));
  const unset = filled.problems.map(({ offset, message }) => ({ message, position: toPosition(offset) }));
  const located = misfits.flatMap((problem) => {
    const { path, key, nearest } = problem;
    const message = unsetMessage(sources.absent[path.join(".")]) ?? problem.message;
    const offset = findOffset(document, path, key);
    if (missing.has(offset)) return [];
    const field = fieldOf(problem);
    return [{ message, position: toPosition(offset), field, ...(nearest !== undefined && { nearest }) }];
  });
  const problems = [...unset, ...located].toSorted(byPosition);
  const fit = checked.success && problems.length === 0 ? { value: checked.data } : {};
  return { ...fit, raw, problems, values: filled.values, at, ...sources };
}

/** Returns the message for a required setting with an unset variable. */
function unsetMessage(variables: readonly string[] | undefined): string | undefined {
  return variables && `the environment has no ${variables.join(" and no ")}. Set it.`;
}

/** Makes one error that lists every problem. Its `position` and `field` are from the first problem. */
export function toConfigError(problems: readonly FileProblem[], file: string): ConfigError {
  const [first] = problems;
  if (first === undefined) return new ConfigError("The file could not be read.", { position: { file } });
  const { position, field } = first;
  return new ConfigError(problemText(problems), { position, ...(field !== undefined && { field }) });
}

/** Formats the problems, one on each line. The first has no position, because the error's own position precedes the text. */
export function problemText([first, ...rest]: readonly FileProblem[]): string {
  const others = rest.map(({ message, position }) => `${formatPosition(position)}: ${message}`);
  return [first?.message, ...others].join("\n");
}

/** Compares two problems by their positions in the file. */
export function byPosition({ position: a }: FileProblem, { position: b }: FileProblem): number {
  return (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0);
}

interface Fault {
  readonly offset: number;
  readonly message: string;
}

/** Finds the problems that prevent further checks. Of several syntax errors, only the first, because the others often result from it. */
function unreadableIn(document: ParsedDocument, text: string): readonly Fault[] {
  const [error] = document.errors;
  if (error) return [{ offset: error.pos[0], message: syntaxMessage(error, text) }];
  const unsupported = findUnsupported(document);
  return unsupported.length > 0 ? unsupported : findEndlessAliases(document);
}

/** Returns the value without these paths. */
function withoutPaths(value: unknown, paths: readonly string[]): unknown {
  if (paths.length === 0) return value;
  if (Array.isArray(value)) return value.map((inner, index) => withoutPaths(inner, within(String(index), paths)));
  if (!isPlainObject(value)) return value;
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

function fieldOf({ path, key }: Problem): string {
  return [...path, ...(key === undefined ? [] : [key])].join(".");
}

/** Finds the offset of a problem: of its key, else of its value, else of the nearest parent. */
function findOffset(document: ParsedDocument, path: readonly PropertyKey[], key?: PropertyKey): number {
  const holder: unknown = document.getIn(path, true);
  const pair = isMap(holder) && holder.items.find((item) => isScalar(item.key) && item.key.value === key);
  if (pair && isNode(pair.key)) return pair.key.range?.[0] ?? 0;
  if (isNode(holder)) return holder.range?.[0] ?? 0;
  return path.length === 0 ? 0 : findOffset(document, path.slice(0, -1), path.at(-1));
}
