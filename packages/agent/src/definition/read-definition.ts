/** Turns the text of an agent file, or an object, into a definition. */
import { resolve } from "node:path";
import { readTextFile } from "@bridle/core";
import {
  byPosition,
  type Environment,
  type EnvironmentValue,
  type FileForm,
  type FileProblem,
  findTypedSecrets,
  isOutside,
  shownPath,
  type TypedSecret,
  type YamlFile,
} from "@bridle/project";
import { formatPosition, type ToolKind } from "@bridle/protocol";
import { type AgentConfig, createAgentSchema } from "../config/schema.ts";
import { remedyForKey } from "../config/usual-mistakes.ts";
import { toolKinds as registeredKinds } from "../tool-kinds/registry.ts";
import type { AgentDefinition } from "./agent-definition.ts";
import { AgentFileError } from "./agent-file-error.ts";
import { policyProblems } from "./agent-policy.ts";
import { agentWarnings } from "./agent-warnings.ts";
import { fileProblems } from "./file-problems.ts";
import { includeStores } from "./included/include-stores.ts";
import { includeTestCases } from "./included/include-test-cases.ts";
import { namedFiles } from "./named-files.ts";
import { hideContent } from "./outside-files.ts";
import { inlineInstructions, type ReadInstructions, readInstructions } from "./read-instructions.ts";
import { checkFormat, parseFormat, type ReadFormat } from "./read-response-format.ts";
import { repeatedNames } from "./repeated-names.ts";
import { secretFileValues } from "./secret-file-values.ts";
import { sensitiveFields } from "./sensitive-fields.ts";

/** The parsed file, and the folder that its relative paths are resolved against. */
interface Source {
  readonly path: string;
  readonly file: string;
  readonly yaml: YamlFile<AgentConfig>;
  readonly baseDir: string;
  readonly cwd: string;
  readonly environment: Environment;
  readonly kinds: readonly ToolKind[];
  /** Whether files outside of the folder are read. */
  readonly readsOutside: boolean;
}

interface ReadOptions {
  readonly environment: Environment;
  readonly toolKinds?: readonly ToolKind[] | undefined;
  /** Default: true. */
  readonly readsOutside?: boolean | undefined;
}

/** The content of the files that the agent file names, if they could be read. */
interface NamedContent {
  readonly instructions: ReadInstructions | undefined;
  readonly format: ReadFormat | undefined;
}

/** Reads the text or the object with the schema of an agent. */
export type AgentReader = (form: FileForm<AgentConfig>) => YamlFile<AgentConfig>;
type Place = Pick<Source, "path" | "file" | "baseDir" | "cwd">;

/** Reads an agent and the files that it names. Throws AgentFileError with every problem. */
export async function readDefinition(
  read: AgentReader,
  place: Place,
  { environment, toolKinds: kinds = registeredKinds, readsOutside = true }: ReadOptions,
): Promise<AgentDefinition & { readonly hasUnread: boolean }> {
  const form = { schema: createAgentSchema(kinds), ...sensitiveFields(kinds), remedyForKey };
  const context = { ...place, environment, kinds, form, readsOutside };
  const yaml = await includeTestCases(await includeStores(read(form), context), context);
  const source = { ...place, yaml, environment, kinds, readsOutside };
  const missing = await fileProblems(yaml, source);
  const content = await readNamedContent(source, missing);
  const [first, ...rest] = [...missing, ...contentProblems(source, content)].toSorted(byPosition);
  if (first) throw new AgentFileError([first, ...rest]);
  return { ...(await toDefinition(source, content)), hasUnread: !readsOutside && namesOutside(source) };
}

/** Whether the agent names a file outside of its folder. Such a file was then neither read nor looked for. */
function namesOutside({ yaml, baseDir, kinds }: Source): boolean {
  const { file } = yaml.value?.instructions ?? {};
  if (typeof file === "string" && isOutside(baseDir, file)) return true; // its name may contain brackets, so it is not treated as a pattern
  return namedFiles(yaml.raw, kinds).some(({ name }) => isOutside(baseDir, name));
}

async function readNamedContent(source: Source, missing: readonly FileProblem[]): Promise<NamedContent> {
  const isThere = (field: string) => !missing.some((problem) => problem.field === field);
  return {
    instructions: isThere("instructions.file") ? await loadInstructions(source) : undefined,
    format: isThere("response_format") ? await loadFormat(source) : undefined,
  };
}

function contentProblems(source: Source, { instructions, format }: NamedContent): FileProblem[] {
  const { yaml } = source;
  return [
    ...(yaml.value ? policyProblems({ config: yaml.value, sources: yaml }) : []),
    ...yaml.problems,
    ...repeatedNameProblems(source),
    ...(instructions?.problems ?? []),
    ...formatProblems(format, source),
  ];
}

async function toDefinition(source: Source, { instructions: read, format }: NamedContent): Promise<AgentDefinition> {
  const { path, file, yaml, baseDir, environment, kinds } = source;
  const { positions, written, absent, value: config } = yaml;
  if (config === undefined || read === undefined) throw new Error("An agent has neither a value nor a problem.");
  const typed = findTypedSecrets(config, { written }, sensitiveFields(kinds));
  return {
    path,
    file,
    baseDir,
    config,
    environment,
    toolKinds: kinds,
    instructions: read.instructions,
    ...(format && "schema" in format && { responseFormat: format.schema }),
    warnings: agentWarnings(config, { positions, written, typed, kinds }),
    sources: { positions, written, absent },
    values: await secretValues(source, config, typed),
  };
}

async function secretValues(
  { yaml, baseDir, kinds, readsOutside }: Source,
  config: AgentConfig,
  typed: readonly TypedSecret[],
): Promise<EnvironmentValue[]> {
  return [...yaml.values, ...typed, ...(await secretFileValues(config, { baseDir, kinds, readsOutside }))];
}

async function loadInstructions({
  yaml,
  baseDir,
  cwd,
  environment,
  readsOutside,
}: Source): Promise<ReadInstructions | undefined> {
  const { file, inline } = yaml.value?.instructions ?? {};
  if (typeof inline === "string") return { instructions: inlineInstructions(inline), problems: [] };
  if (typeof file !== "string") return undefined;
  const path = resolve(baseDir, file);
  const isOwn = !isOutside(baseDir, file);
  if (!isOwn && !readsOutside) {
    return { instructions: { ...inlineInstructions(""), file: shownPath(path, cwd) }, problems: [] };
  }
  const text = await readTextFile(path).catch(toUndefined);
  if (text === undefined) return undefined;
  const read = readInstructions(text, shownPath(path, cwd), environment);
  return isOwn ? read : { ...read, problems: read.problems.map(hideContent) };
}

async function loadFormat({ yaml, baseDir, cwd, readsOutside }: Source): Promise<ReadFormat | undefined> {
  const { response_format: format } = yaml.value ?? {};
  if (format === undefined || format === null) return undefined;
  if (typeof format !== "string") return checkFormat(format, "response_format");
  if (!readsOutside && isOutside(baseDir, format)) return undefined;
  const path = resolve(baseDir, format);
  const text = await readTextFile(path).catch(toUndefined);
  return text === undefined ? undefined : parseFormat(text, shownPath(path, cwd));
}

/** Ignores a read error, because `fileProblems` reports it. */
function toUndefined(): undefined {
  return undefined;
}

function formatProblems(format: ReadFormat | undefined, { yaml }: Source): FileProblem[] {
  if (format === undefined || !("problem" in format)) return [];
  return [{ message: format.problem, position: yaml.at(["response_format"]), field: "response_format" }];
}

function repeatedNameProblems({ yaml }: Source): FileProblem[] {
  const lists = { tools: "two tools", test_cases: "two test cases" } as const;
  return (["tools", "test_cases"] as const).flatMap((list) =>
    repeatedNames(yaml.raw, list).map(({ name, path, first }) => {
      const other = formatPosition(yaml.at(first));
      const message = `${lists[list]} are named "${name}": the other is at ${other}. Rename one of them.`;
      return { message, position: yaml.at(path), field: path.join(".") };
    }),
  );
}
