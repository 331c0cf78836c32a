import { readFile, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import {
  byPlace,
  type Environment,
  type FileForm,
  type FileProblem,
  readYaml,
  shownPath,
  type YamlFile,
} from "@bridle/project";
import { ConfigError, formatPosition } from "@bridle/protocol";
import { type AgentConfig, agentSchema } from "../config/schema.ts";
import { policyProblems } from "../opening/agent-policy.ts";
import type { AgentDefinition } from "./agent-definition.ts";
import { AgentFileError } from "./agent-file-error.ts";
import { warningsOf } from "./agent-warnings.ts";
import { envFileValues } from "./env-file-values.ts";
import { namedFiles } from "./named-files.ts";
import { inlineInstructions, type ReadInstructions, readInstructions } from "./read-instructions.ts";
import { checkFormat, parseFormat, type ReadFormat } from "./read-response-format.ts";
import { sameNames } from "./repeated-names.ts";
import { isConnection, isSecret } from "./sensitive-fields.ts";
import { typedSecrets } from "./typed-secrets.ts";

export interface LoadAgentOptions {
  /** Where `${NAME}` in the file is looked up. */
  readonly environment: Environment;
  /** A relative path of the file is from here on, and messages name files from here. Default: the working directory. */
  readonly cwd?: string;
}

const form: FileForm<AgentConfig> = { schema: agentSchema, isSecret, isConnection };

/** The file as it was read, and where its paths lead. */
interface Source {
  readonly yaml: YamlFile<AgentConfig>;
  readonly baseDir: string;
  readonly cwd: string;
  readonly environment: Environment;
}

/**
 * Reads and checks an agent's file and the files that it names. Throws an AgentFileError with everything that is wrong,
 * each with its line and column, and a ConfigError where the file cannot be read at all.
 *
 * @example
 * const definition = await loadAgent("agent.yaml", { environment: process.env });
 * const agent = await openAgent(definition);
 */
export async function loadAgent(file: string, options: LoadAgentOptions): Promise<AgentDefinition> {
  const { environment, cwd = process.cwd() } = options;
  const path = resolve(cwd, file);
  const shown = shownPath(path, cwd);
  const yaml = readYaml(await readAgentFile(path, shown), shown, environment, form);
  const source: Source = { yaml, baseDir: dirname(path), cwd, environment };
  const missing = await missingFiles(source);
  const isThere = (field: string) => !missing.some((problem) => problem.field === field);
  const read = isThere("instructions.file") ? await instructionsOf(source) : undefined;
  const format = isThere("response_format") ? await formatOf(source) : undefined;
  const rules = yaml.value ? policyProblems({ config: yaml.value, places: yaml }) : [];
  const problems = [
    ...rules,
    ...yaml.problems,
    ...missing,
    ...doubled(source),
    ...(read?.problems ?? []),
    ...faultOf(format, source),
  ];
  const [first, ...rest] = problems.toSorted(byPlace);
  if (first) throw new AgentFileError([first, ...rest]);
  if (yaml.value === undefined || read === undefined) throw new Error("An agent has neither a value nor a problem.");
  const { positions, written, absent, value: config } = yaml;
  const typed = typedSecrets(config, written);
  const values = [...yaml.values, ...typed, ...(await envFileValues(config, source.baseDir))];
  return {
    ...{ path, file: shown, baseDir: source.baseDir, config, environment, values },
    instructions: read.instructions,
    ...(format && "schema" in format && { responseFormat: format.schema }),
    warnings: warningsOf(config, positions, typed),
    places: { positions, written, absent },
  };
}

async function instructionsOf({ yaml, baseDir, cwd, environment }: Source): Promise<ReadInstructions | undefined> {
  const { file, inline } = yaml.value?.instructions ?? {};
  if (typeof inline === "string") return { instructions: inlineInstructions(inline), problems: [] };
  if (typeof file !== "string") return undefined;
  const path = resolve(baseDir, file);
  const text = await readFile(path, "utf8").catch(toUndefined);
  return text === undefined ? undefined : readInstructions(text, shownPath(path, cwd), environment);
}

async function formatOf({ yaml, baseDir, cwd }: Source): Promise<ReadFormat | undefined> {
  const { response_format: format } = yaml.value ?? {};
  if (format === undefined || format === null) return undefined;
  if (typeof format !== "string") return checkFormat(format, "response_format");
  const path = resolve(baseDir, format);
  const text = await readFile(path, "utf8").catch(toUndefined);
  return text === undefined ? undefined : parseFormat(text, shownPath(path, cwd));
}

function faultOf(format: ReadFormat | undefined, { yaml }: Source): FileProblem[] {
  if (format === undefined || !("problem" in format)) return [];
  const path = ["response_format"];
  return [{ message: format.problem, position: yaml.at(path), field: "response_format" }];
}

async function missingFiles({ yaml, baseDir, cwd }: Source): Promise<FileProblem[]> {
  const checked = namedFiles(yaml.raw).map(async ({ path, name }) => {
    const full = resolve(baseDir, name);
    const fault = await faultOfFile(full, path.at(-1) === "file" || path.at(-1) === "response_format");
    const field = path.join(".");
    const message = `${field} names ${shownPath(full, cwd)}, which ${fault}`;
    return fault === undefined ? [] : [{ message, position: yaml.at(path), field }];
  });
  return (await Promise.all(checked)).flat();
}

/** Why nothing can be read there, and what to do. */
async function faultOfFile(path: string, isRead: boolean): Promise<string | undefined> {
  try {
    if (isRead && (await stat(path)).isDirectory()) return "is a folder. Name a file.";
    if (isRead) await readFile(path);
    else await stat(path);
    return undefined;
  } catch (error) {
    const code = codeOf(error);
    if (code === "ENOENT" || code === "ENOTDIR")
      return "does not exist. Correct the path; it is from the folder of the agent's file on.";
    return `cannot be read (${code}). Make it readable, or name another.`;
  }
}

function doubled({ yaml }: Source): FileProblem[] {
  return (["tools", "test_cases"] as const).flatMap((list) =>
    sameNames(yaml.raw, list).map(({ name, path, first }) => {
      const what = list === "tools" ? "two tools" : "two test cases";
      const message = `${what} are named "${name}": the other is at ${formatPosition(yaml.at(first))}. Rename one of them.`;
      return { message, position: yaml.at(path), field: path.join(".") };
    }),
  );
}

async function readAgentFile(path: string, shown: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (cause) {
    const code = codeOf(cause);
    const reason =
      code === "ENOENT" ? "does not exist" : code === "EISDIR" ? "is a folder" : `cannot be read (${code})`;
    throw new ConfigError(`The agent's file ${shown} ${reason}. Name a file such as agent.yaml.`, { cause });
  }
}

/** A file that cannot be read is a problem already. */
function toUndefined(): undefined {
  return undefined;
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "unknown";
}
