/** The files and folders that an agent's file names. They are found even if other parts of the file are wrong. */

import { metrics } from "@bridle/metrics";
import type { MetricDefinition } from "@bridle/protocol";

export interface NamedFile {
  /** Where it is named, such as `["tools", 0, "file"]`. */
  readonly path: readonly PropertyKey[];
  readonly name: string;
}

type Pattern = readonly string[];

/** Settings of metrics that may name a file. */
const metricFiles = [...new Set(metrics.flatMap((metric: MetricDefinition) => metric.files ?? []))];

const ofCase: readonly Pattern[] = [
  ["files", "*", "path"],
  ...metricFiles.map((setting) => ["evaluations", "*", setting]),
];

/** `*` is every entry of a list or mapping. */
const patterns: readonly Pattern[] = [
  ["instructions", "file"],
  ["response_format"],
  ["tools", "*", "file"],
  ["tools", "*", "source"],
  ["tools", "*", "source", "*"],
  ["tools", "*", "env_file"],
  ["skills", "*"],
  ["claude", "working_directory"],
  ["claude", "agents", "*", "prompt_file"],
  ...metricFiles.map((setting) => ["evaluations", "metrics", "*", setting]),
  ...ofCase.flatMap((pattern) => [
    ["test_cases", "*", ...pattern],
    ["test_cases", "*", "turns", "*", ...pattern],
  ]),
];

export function namedFiles(raw: unknown): NamedFile[] {
  return patterns.flatMap((pattern) => follow(raw, pattern, []));
}

function follow(value: unknown, [key, ...rest]: Pattern, path: readonly PropertyKey[]): NamedFile[] {
  if (key === undefined) return typeof value === "string" && !isGlob(value) ? [{ path, name: value }] : [];
  if (typeof value !== "object" || value === null) return [];
  return entriesOf(value)
    .filter(([name]) => key === "*" || name === key)
    .flatMap(([name, inner]) => follow(inner, rest, [...path, name]));
}

function entriesOf(value: object): [PropertyKey, unknown][] {
  return Array.isArray(value) ? value.map((inner, index) => [index, inner]) : Object.entries(value);
}

/** What a pattern finds is looked up when it is read. */
function isGlob(name: string): boolean {
  return /[*?[\]{}!]/.test(name);
}
