/** Reports faults in model files to queries. Only queries that depend on a fault are refused. */
import { ConfigError, formatPosition } from "@bridle/protocol";
import type { LeftOutEntry, MetricQuery, MetricRefusal, ModelProblem } from "@bridle/semantic";

/** Throws a ConfigError with the first problem and the number of others, if problems were found. */
export function throwFirst(problems: readonly ModelProblem[]): void {
  const [first, ...others] = problems;
  if (first === undefined) return;
  const more = others.length > 0 ? ` ${others.length} more: run "bridle metrics validate".` : "";
  throw new ConfigError(`${sentenceOf(first)}${more}`, { field: "context/models" });
}

/** Throws a ConfigError if the query names an entry that was left out, even if the name now matches another entry. */
export function checkNamed(query: MetricQuery, leftOut: readonly LeftOutEntry[]): void {
  if (leftOut.length === 0) return;
  const paths = pathsIn(query);
  const named = leftOut.find(({ model, name }) =>
    paths.some((path) =>
      name === undefined
        ? path.slice(0, -1).includes(model)
        : path.includes(name) && (path.length === 1 || path.includes(model)),
    ),
  );
  if (named) throwFirst([named.problem]);
}

/** Throws a ConfigError if an entry that was left out is the reason for a refusal. */
export function checkRefused({ message }: MetricRefusal, leftOut: readonly LeftOutEntry[]): void {
  const named = leftOut.find(({ model, name }) => message.includes(`"${name ?? model}"`));
  if (named) throwFirst([named.problem]);
}

/**
 * Returns an assumption for each entry that was left out: without a join or a model, a query may see fewer paths to a field than the files
 * define.
 */
export function assumptionsOf(leftOut: readonly LeftOutEntry[]): readonly string[] {
  const sentences = leftOut.map(
    ({ problem }) => `A faulty entry was left out, with all entries that depend on it. ${sentenceOf(problem)}`,
  );
  return [...new Set(sentences)];
}

function sentenceOf({ message, position }: ModelProblem): string {
  return `${formatPosition(position)}: ${message}`;
}

/** Lists the names in a query, split into parts. Leaves out names in string literals. */
function pathsIn({ measures, dimensions, filters, having, orderBy }: MetricQuery): readonly (readonly string[])[] {
  const texts = [measures, dimensions, filters, having, orderBy].flatMap(textsIn);
  const plain = texts.map((text) => text.replaceAll(/'(?:[^']|'')*'/g, " "));
  const names = plain.flatMap((text) => text.match(/[\p{L}_][\p{L}\p{N}_]*(?:\.[\p{L}_][\p{L}\p{N}_]*)*/gu) ?? []);
  return names.map((name) => name.split("."));
}

/** Lists all strings in a part of a query, except the values of its conditions. */
function textsIn(part: unknown): readonly string[] {
  if (typeof part === "string") return [part];
  if (Array.isArray(part)) return part.flatMap(textsIn);
  if (typeof part !== "object" || part === null) return [];
  return Object.entries(part).flatMap(([key, value]) => (key === "value" || key === "as" ? [] : textsIn(value)));
}
