import { dirname, resolve } from "node:path";
import { readTextFile } from "@bridle/core";
import { type Environment, readYaml, refuseForeignLink, requireOwn, shownPath } from "@bridle/project";
import { ConfigError, type FolderTrust, given, optionsCheck, systemErrorCode, type ToolKind } from "@bridle/protocol";
import type { AgentDefinition } from "./agent-definition.ts";
import { type AgentReader, readDefinition } from "./read-definition.ts";

export interface LoadAgentOptions {
  /** The variables for `${NAME}` in the file. */
  readonly environment: Environment;
  /** The folder that the file's path is relative to, also in messages. Default: the working directory. */
  readonly cwd?: string | undefined;
  /**
   * Decides whether the file may be used: whether its tools may be opened, its model called and its variables sent. Default: it may,
   * because the program's author chose the file.
   */
  readonly trust?: FolderTrust | undefined;
  /** The tool kinds that the file may contain. Default: the registered kinds. */
  readonly toolKinds?: readonly ToolKind[] | undefined;
  /** A text to read in place of the file's content, such as the text in an editor. */
  readonly text?: string | undefined;
}

const checkOptions = optionsCheck<LoadAgentOptions>("loadAgent", {
  environment: given.object,
  cwd: given.text.optional(),
  trust: given.port("check", "require").optional(),
  toolKinds: given.list.optional(),
  text: given.text.optional(),
});

interface ReadingOptions extends LoadAgentOptions {
  /** Whether files outside of the agent's folder are read. */
  readonly readsOutside: boolean;
}

/**
 * Reads and checks an agent file and the files that it names. With `trust`, files outside of its folder are read only when they are
 * trusted.
 *
 * @throws AgentFileError with every problem of the file, each with its line and column.
 * @throws ConfigError if the file cannot be read.
 *
 * @example
 * const definition = await loadAgent("agent.yaml", { environment: process.env });
 * const agent = await openAgent(definition);
 */
export async function loadAgent(file: string, options: LoadAgentOptions): Promise<AgentDefinition> {
  checkOptions(options);
  return load(file, { ...options, readsOutside: options.trust === undefined });
}

async function load(file: string, options: ReadingOptions): Promise<AgentDefinition> {
  const { trust, cwd = process.cwd(), text: edited } = options;
  const path = resolve(cwd, file);
  if (trust !== undefined) {
    refuseForeignLink(path);
    requireOwn(path);
  }
  const shown = shownPath(path, cwd);
  const text = edited ?? (await readAgentFile(path, shown));
  const place = { path, file: shown, baseDir: dirname(path), cwd };
  const read: AgentReader = (form) => readYaml(text, shown, options.environment, form);
  const { hasUnread, ...definition } = await readDefinition(read, place, options);
  const readOutside = hasUnread ? () => load(path, { ...options, readsOutside: true }) : undefined;
  return { ...definition, ...(readOutside && { readOutside }), ...(trust && { trust }) };
}

async function readAgentFile(path: string, shown: string): Promise<string> {
  try {
    return await readTextFile(path);
  } catch (cause) {
    const code = systemErrorCode(cause);
    const reason =
      code === "ENOENT" ? "does not exist" : code === "EISDIR" ? "is a folder" : `cannot be read (${code})`;
    throw new ConfigError(`The agent file ${shown} ${reason}. Name a file such as agent.yaml.`, { cause });
  }
}
