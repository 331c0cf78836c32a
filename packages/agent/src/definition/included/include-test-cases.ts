/** `test_cases_file`: test cases in a separate file, as YAML, JSON, JSON Lines or CSV. */
import { dirname, extname, isAbsolute, relative, resolve } from "node:path";
import { readTextFile } from "@bridle/core";
import { type FileProblem, isOutside, readYaml, shownPath, type YamlFile } from "@bridle/project";
import { getErrorMessage, isPlainObject, type ToolKind } from "@bridle/protocol";
import { z } from "zod";
import type { AgentConfig } from "../../config/schema.ts";
import { testCasesSchema } from "../../config/test-cases.ts";
import { namedFiles } from "../named-files.ts";
import { isLinkOut, withoutContent } from "../outside-files.ts";
import type { IncludeContext } from "./include-context.ts";
import { includeYaml, setValueAt } from "./include-yaml.ts";
import type { CaseRows } from "./test-case-rows.ts";

const key = "test_cases_file";

/** Returns the agent file with the cases of its `test_cases_file`. If that file is missing, `fileProblems` reports it. */
export async function includeTestCases(
  yaml: YamlFile<AgentConfig>,
  context: IncludeContext,
): Promise<YamlFile<AgentConfig>> {
  const name: unknown = isPlainObject(yaml.raw) ? yaml.raw[key] : undefined;
  if (typeof name !== "string") return yaml;
  const path = resolve(context.baseDir, name);
  const isOwn = !isOutside(context.baseDir, name);
  if (isLinkOut(context.baseDir, name) || (!isOwn && !context.readsOutside)) return yaml; // `fileProblems` reports links
  const text = await readTextFile(path).catch(() => undefined);
  if (text === undefined) return yaml;
  const shown = shownPath(path, context.cwd);
  try {
    const { file, from } = await readCases(text, path, shown, context);
    const shownFile = isOwn ? file : withoutContent(file);
    return includeYaml(yaml, withPathsFrom(shownFile, from, dirname(path), context), ["test_cases"], from);
  } catch (error) {
    const reason = isOwn ? `: ${getErrorMessage(error)}` : "";
    const message = `${key} names ${shown}, which cannot be read as test cases${reason}. Correct it.`;
    const problem: FileProblem = { message, position: yaml.at([key]), field: key };
    return { ...withoutValue(yaml), problems: [...yaml.problems, problem] };
  }
}

function withoutValue({ value: _value, ...rest }: YamlFile<AgentConfig>): YamlFile<AgentConfig> {
  return rest;
}

interface CasesFile {
  readonly file: YamlFile<unknown>;
  /** The path of the list in the file: empty if the list is the whole file, or else `test_cases`. */
  readonly from: readonly PropertyKey[];
}

async function readCases(
  text: string,
  path: string,
  shown: string,
  { environment, form }: IncludeContext,
): Promise<CasesFile> {
  const read = (content: string, schema: z.ZodType) => readYaml(content, shown, environment, { ...form, schema });
  const ending = extname(path).toLowerCase();
  if (ending === ".jsonl" || ending === ".ndjson" || ending === ".csv") {
    const { readCsvCases, readJsonLines } = await import("./test-case-rows.ts"); // with the CSV parser
    const rows = ending === ".csv" ? readCsvCases(text) : readJsonLines(text);
    return { file: atRows(read(rows.yaml, testCasesSchema), rows), from: [] };
  }
  if (!isPlainObject(read(text, z.unknown()).raw)) return { file: read(text, testCasesSchema), from: [] };
  return { file: read(text, z.strictObject({ test_cases: testCasesSchema })), from: ["test_cases"] };
}

/** Moves the positions of rows to the file with the cases. Only their lines are known. */
function atRows(file: YamlFile<unknown>, { lines }: CaseRows): YamlFile<unknown> {
  const move = <P extends { readonly line?: number; readonly column?: number }>({
    column: _column,
    ...position
  }: P) => ({
    ...position,
    line: lines[(position.line ?? 1) - 1] ?? 1,
  });
  return {
    ...file,
    problems: file.problems.map((problem) => ({ ...problem, position: move(problem.position) })),
    positions: Object.fromEntries(Object.entries(file.positions).map(([path, position]) => [path, move(position)])),
    at: (path) => move(file.at(path)),
  };
}

/** Makes paths in the cases relative to the agent's folder. In the file, they are relative to the file itself. */
function withPathsFrom(
  file: YamlFile<unknown>,
  from: readonly PropertyKey[],
  folder: string,
  { baseDir, kinds }: { readonly baseDir: string; readonly kinds: readonly ToolKind[] },
): YamlFile<unknown> {
  const wrap = (value: unknown) => (from.length === 0 ? { test_cases: value } : value);
  const unwrap = (value: unknown) => (from.length === 0 ? Reflect.get(Object(value), "test_cases") : value);
  const change = (value: unknown) => {
    const wrapped = wrap(value);
    return unwrap(
      namedFiles(wrapped, kinds).reduce<unknown>((changed, { path, name }) => {
        const full = isAbsolute(name) ? name : relative(baseDir, resolve(folder, name));
        return setValueAt(changed, path, full);
      }, wrapped),
    );
  };
  return { ...file, raw: change(file.raw), ...("value" in file && { value: change(file.value) }) };
}
