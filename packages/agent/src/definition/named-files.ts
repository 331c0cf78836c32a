/** Lists the files and folders that an agent file names, even if other parts of the file are invalid. */
import { metrics } from "@bridle/metrics";
import { agentBlocks } from "@bridle/project";
import type { FileKey, MetricDefinition, ToolKind } from "@bridle/protocol";
import { toolKinds } from "../tool-kinds/registry.ts";

export interface NamedFile {
  /** The path of the key, such as `["tools", 0, "file"]`. */
  readonly path: readonly PropertyKey[];
  readonly name: string;
  /** Whether the content affects how the agent behaves or is tested. The path must then lead to a readable file. */
  readonly isBehaviour: boolean;
}

/** Settings of metrics that may name a file. */
const inMetric: readonly FileKey[] = [
  ...new Set(metrics.flatMap((metric: MetricDefinition) => metric.files ?? [])),
].map((setting) => ({ path: [setting], isBehaviour: true }));

const inTestCase: readonly FileKey[] = [
  { path: ["files", "*", "path"], isBehaviour: true },
  ...below(["evaluations", "*"], inMetric),
];

const fileKeys: readonly FileKey[] = [
  { path: ["instructions", "file"], isBehaviour: true },
  { path: ["response_format"], isBehaviour: true },
  { path: ["test_cases_file"], isBehaviour: true },
  { path: ["skills", "*"] },
  ...agentBlocks().flatMap(({ block }) => below([block.key], block.files)),
  ...below(["evaluations", "metrics", "*"], inMetric),
  ...below(["test_cases", "*"], inTestCase),
  ...below(["test_cases", "*", "turns", "*"], inTestCase),
];

/** Lists the files and folders that the content of an agent file names, even if it is invalid. Globs are left out. */
export function namedFiles(raw: unknown, kinds: readonly ToolKind[] = toolKinds): NamedFile[] {
  return namedPatterns(raw, kinds).filter(({ name }) => !isGlob(name));
}

/** Lists files like `namedFiles`, and includes names that may be globs. Some settings use such a name literally. */
export function namedPatterns(raw: unknown, kinds: readonly ToolKind[]): NamedFile[] {
  const ofTools = kinds.flatMap(({ files = [] }) => below(["tools", "*"], files));
  const found = [...fileKeys, ...ofTools].flatMap(({ path, isBehaviour = false }) =>
    follow(raw, path, []).map((each) => ({ ...each, isBehaviour })),
  );
  return [...new Map(found.map((each) => [each.path.join("."), each])).values()]; // two kinds may have the same key
}

function below(outer: readonly string[], keys: readonly FileKey[]): FileKey[] {
  return keys.map(({ path, isBehaviour }) => ({ path: [...outer, ...path], isBehaviour }));
}

function follow(
  value: unknown,
  [key, ...rest]: readonly string[],
  path: readonly PropertyKey[],
): Pick<NamedFile, "path" | "name">[] {
  if (key === undefined) return typeof value === "string" ? [{ path, name: value }] : [];
  if (typeof value !== "object" || value === null) return [];
  return listEntries(value)
    .filter(([name]) => key === "*" || name === key)
    .flatMap(([name, inner]) => follow(inner, rest, [...path, name]));
}

function listEntries(value: object): [PropertyKey, unknown][] {
  return Array.isArray(value) ? value.map((inner, index) => [index, inner]) : Object.entries(value);
}

/** Whether a name is a glob. Globs are expanded when the setting is read. */
function isGlob(name: string): boolean {
  return /[*?[\]{}!]/.test(name);
}
