import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { ConfigError } from "@bridle/core";
import { byPlace, type Environment, type FileForm, type FileProblem, readYaml, shownPath } from "@bridle/project";
import type { AgentDefinition } from "./agent-definition.ts";
import { AgentFileError } from "./agent-file-error.ts";
import { isConnection, isSecret } from "./config/paths.ts";
import { type AgentConfig, agentSchema } from "./config/schema.ts";
import { type AgentInstructions, plainInstructions } from "./read-instructions.ts";

export interface LoadAgentOptions {
  /** Where `${NAME}` in the file is looked up. */
  readonly environment: Environment;
  /** Paths are from here on, and messages name the file from here. Default: the working directory. */
  readonly cwd?: string;
}

const form: FileForm<AgentConfig> = { schema: agentSchema, isSecret, isConnection };

/**
 * Reads and checks an agent's file and the files that it names. Throws an AgentFileError with everything that is wrong,
 * each with its line and column.
 *
 * @example
 * const definition = await loadAgent("agent.yaml", { environment: process.env });
 * const agent = await openAgent(definition);
 */
export async function loadAgent(file: string, options: LoadAgentOptions): Promise<AgentDefinition> {
  const { environment, cwd = process.cwd() } = options;
  const path = resolve(cwd, file);
  const shown = shownPath(path, cwd);
  const yaml = readYaml(await readText(path, shown), shown, environment, form);
  const baseDir = dirname(path);
  const problems: FileProblem[] = [...yaml.problems];
  const instructions = await instructionsOf(yaml.value, baseDir, cwd).catch((error: unknown) => {
    if (!(error instanceof ConfigError)) throw error;
    problems.push({ message: error.message, position: yaml.at(["instructions", "file"]), field: "instructions.file" });
    return undefined;
  });
  const [first, ...rest] = problems.toSorted(byPlace);
  if (first) throw new AgentFileError([first, ...rest]);
  if (yaml.value === undefined || instructions === undefined)
    throw new Error("An agent has neither value nor problem.");
  const { positions, written, absent, values, value: config } = yaml;
  const places = { positions, written, absent };
  return { ...{ path, file: shown, baseDir, config, instructions, warnings: [], environment }, places, values };
}

async function instructionsOf(
  config: AgentConfig | undefined,
  baseDir: string,
  cwd: string,
): Promise<AgentInstructions | undefined> {
  if (config === undefined) return undefined;
  const { file, inline } = config.instructions;
  if (typeof file !== "string") return plainInstructions(inline ?? "");
  const path = resolve(baseDir, file);
  return { ...plainInstructions(await readText(path, shownPath(path, cwd))), file: shownPath(path, cwd) };
}

async function readText(path: string, shown: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? String(cause.code) : "unknown";
    const reason = code === "ENOENT" ? "does not exist" : `cannot be read (${code})`;
    throw new ConfigError(`The file ${shown} ${reason}. Correct the path, or make the file readable.`, { cause });
  }
}
