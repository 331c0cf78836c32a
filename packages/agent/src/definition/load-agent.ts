import { dirname, resolve } from "node:path";
import { readTextFile } from "@bridle/core";
import {
  byPosition,
  type Environment,
  type EnvironmentValue,
  type FileProblem,
  findTypedSecrets,
  readYaml,
  requireOwn,
  shownPath,
  type TypedSecret,
  type YamlFile,
} from "@bridle/project";
import { ConfigError, type FolderTrust, formatPosition, systemErrorCode, type ToolKind } from "@bridle/protocol";
import { type AgentConfig, createAgentSchema } from "../config/schema.ts";
import { policyProblems } from "../opening/agent-policy.ts";
import { toolKinds as registeredKinds } from "../tool-kinds.ts";
import type { AgentDefinition } from "./agent-definition.ts";
import { AgentFileError } from "./agent-file-error.ts";
import { agentWarnings } from "./agent-warnings.ts";
import { fileProblems } from "./file-problems.ts";
import { inlineInstructions, type ReadInstructions, readInstructions } from "./read-instructions.ts";
import { checkFormat, parseFormat, type ReadFormat } from "./read-response-format.ts";
import { repeatedNames } from "./repeated-names.ts";
import { secretFileValues } from "./secret-file-values.ts";
import { sensitiveFields } from "./sensitive-fields.ts";

export interface LoadAgentOptions {
  /** The variables for `${NAME}` in the file. */
  readonly environment: Environment;
  /** The folder that a relative path of the file starts in. Messages name files relative to it. Default: the working directory. */
  readonly cwd?: string | undefined;
  /**
   * Decides whether the file may take effect: whether its tools may be opened, its model called and its variables sent.
   * Default: they may, because the program's author chose the file.
   */
  readonly trust?: FolderTrust | undefined;
  /** The kinds of tools that the file can have. Default: the registered kinds. */
  readonly toolKinds?: readonly ToolKind[] | undefined;
}

/** The file after it was read, and the folder that its paths start in. */
interface Source {
  readonly path: string;
  readonly file: string;
  readonly yaml: YamlFile<AgentConfig>;
  readonly baseDir: string;
  readonly cwd: string;
  readonly environment: Environment;
  readonly kinds: readonly ToolKind[];
}

/** The files that the agent's file names, if they could be read. */
interface NamedContent {
  readonly instructions: ReadInstructions | undefined;
  readonly format: ReadFormat | undefined;
}

/**
 * Reads and checks an agent's file and the files that it names.
 *
 * @throws AgentFileError with every problem of the file, each with its line and column.
 * @throws ConfigError if the file cannot be read.
 *
 * @example
 * const definition = await loadAgent("agent.yaml", { environment: process.env });
 * const agent = await openAgent(definition);
 */
export async function loadAgent(file: string, options: LoadAgentOptions): Promise<AgentDefinition> {
  const { trust, cwd } = options;
  if (trust !== undefined) requireOwn(resolve(cwd ?? process.cwd(), file));
  const source = await readSource(file, options);
  const missing = await fileProblems(source.yaml, source);
  const content = await readNamedContent(source, missing);
  const [first, ...rest] = [...missing, ...contentProblems(source, content)].toSorted(byPosition);
  if (first) throw new AgentFileError([first, ...rest]);
  return { ...(await toDefinition(source, content)), ...(trust && { trust }) };
}

async function readSource(file: string, options: LoadAgentOptions): Promise<Source> {
  const { environment, cwd = process.cwd(), toolKinds: kinds = registeredKinds } = options;
  const path = resolve(cwd, file);
  const shown = shownPath(path, cwd);
  const form = { schema: createAgentSchema(kinds), ...sensitiveFields(kinds) };
  const yaml = readYaml(await readAgentFile(path, shown), shown, environment, form);
  return { path, file: shown, yaml, baseDir: dirname(path), cwd, environment, kinds };
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
    ...{ path, file, baseDir, config, environment, toolKinds: kinds },
    instructions: read.instructions,
    ...(format && "schema" in format && { responseFormat: format.schema }),
    warnings: agentWarnings(config, { positions, typed, kinds }),
    sources: { positions, written, absent },
    values: await secretValues(source, config, typed),
  };
}

async function secretValues(
  { yaml, baseDir, kinds }: Source,
  config: AgentConfig,
  typed: readonly TypedSecret[],
): Promise<EnvironmentValue[]> {
  return [...yaml.values, ...typed, ...(await secretFileValues(config, baseDir, kinds))];
}

async function loadInstructions({ yaml, baseDir, cwd, environment }: Source): Promise<ReadInstructions | undefined> {
  const { file, inline } = yaml.value?.instructions ?? {};
  if (typeof inline === "string") return { instructions: inlineInstructions(inline), problems: [] };
  if (typeof file !== "string") return undefined;
  const path = resolve(baseDir, file);
  const text = await readTextFile(path).catch(toUndefined);
  return text === undefined ? undefined : readInstructions(text, shownPath(path, cwd), environment);
}

async function loadFormat({ yaml, baseDir, cwd }: Source): Promise<ReadFormat | undefined> {
  const { response_format: format } = yaml.value ?? {};
  if (format === undefined || format === null) return undefined;
  if (typeof format !== "string") return checkFormat(format, "response_format");
  const path = resolve(baseDir, format);
  const text = await readTextFile(path).catch(toUndefined);
  return text === undefined ? undefined : parseFormat(text, shownPath(path, cwd));
}

/** `fileProblems` reports the file already. */
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

async function readAgentFile(path: string, shown: string): Promise<string> {
  try {
    return await readTextFile(path);
  } catch (cause) {
    const code = systemErrorCode(cause);
    const reason =
      code === "ENOENT" ? "does not exist" : code === "EISDIR" ? "is a folder" : `cannot be read (${code})`;
    throw new ConfigError(`The agent's file ${shown} ${reason}. Name a file such as agent.yaml.`, { cause });
  }
}
