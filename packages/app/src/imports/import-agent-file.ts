/** `bridle agent import`: converts an agent file of another product to a Bridle file next to it. */
import { lstat, rm, writeFile } from "node:fs/promises";
import { dirname, extname, join, resolve } from "node:path";
import { readTextFile } from "@bridle/core";
import { ConfigError, getErrorMessage, isPlainObject, systemErrorCode } from "@bridle/protocol";
import { parse } from "yaml";
import { z } from "zod";
import { agentProblemSchema, checkAgentFile } from "../agents/agent-check.ts";
import type { AppContext } from "../context/app-context.ts";
import { type HolodeckConfig, readHolodeckConfig } from "./holodeck-config.ts";
import { type ImportedText, importHolodeckAgent, importHolodeckCases } from "./import-holodeck.ts";
import type { Edit } from "./yaml-edits.ts";

/** The supported source formats. */
export const importFormats = ["holodeck"] as const;

const editSchema = z.strictObject({
  /** The file with the change, by its name in the original. */
  file: z.string(),
  /** The line in the original, from 1; `null` for a new entry. */
  line: z.int().positive().nullable(),
  field: z.string(),
  change: z.string(),
  reason: z.string(),
});

/** The output of `bridle agent import --json`. */
export const agentImportSchema = z.strictObject({
  file: z.string(),
  /** The files that were written, the agent file first; empty with `--dry-run`. */
  written: z.array(z.string()),
  edits: z.array(editSchema),
  /** Problems that must be fixed before the new file is valid. */
  problems: z.array(agentProblemSchema),
  warnings: z.array(z.string()),
  /** Whether the new file can run. `null` with `--dry-run`. */
  ok: z.boolean().nullable(),
});
export type AgentImport = z.output<typeof agentImportSchema>;

export interface ImportAgentOptions {
  /** The file to write. Default: `agent.bridle.yaml` next to `agent.yaml`. */
  readonly output?: string | undefined;
  /** Whether the new file may replace an existing one. */
  readonly force?: boolean | undefined;
  /** Whether nothing is written. */
  readonly dryRun?: boolean | undefined;
}

/**
 * Imports a HoloDeck agent file. The original is never changed. Throws ConfigError if the original cannot be read, or if the new file
 * exists.
 */
export async function importAgentFile(
  file: string,
  options: ImportAgentOptions,
  context: Pick<AppContext, "cwd" | "environment" | "packageRoot" | "trust">,
): Promise<AgentImport> {
  const path = resolve(context.cwd, file);
  const read = { text: await readAgent(path, file), config: await readConfig(dirname(path)) };
  const alone = importText(file, () => importHolodeckAgent(read.text, read.config));
  const cases = await importCases(alone.text, path);
  const agent = cases ? importHolodeckAgent(read.text, read.config, besideOf(cases.name)) : alone;
  const edits = [
    ...agent.edits.map((each) => toEdit(each, file)),
    ...(cases?.edits.map((each) => toEdit(each, cases.name)) ?? []),
  ];
  if (options.dryRun) return { file, written: [], edits, problems: [], warnings: [], ok: null };
  const output = options.output ?? besideOf(file);
  const files: NewFile[] = [{ path: resolve(context.cwd, output), shown: output, text: agent.text }];
  if (cases !== undefined) {
    const name = besideOf(cases.name);
    files.push({ path: join(dirname(path), name), shown: join(dirname(file), name), text: cases.text });
  }
  if (!options.force) for (const each of files) await refuseExisting(each);
  for (const each of files) await write(each);
  const written = files.map(({ shown }) => shown);
  const { problems, warnings, ok } = await checkAgentFile(output, context);
  return { file, written, edits, problems, warnings, ok };
}

/** Returns the name of the new file, such as `desk/agent.bridle.yaml` for `desk/agent.yaml`. */
function besideOf(file: string): string {
  const ending = extname(file);
  return `${file.slice(0, file.length - ending.length)}.bridle${ending === "" ? ".yaml" : ending}`;
}

async function readAgent(path: string, shown: string): Promise<string> {
  try {
    return await readTextFile(path);
  } catch (cause) {
    const reason = systemErrorCode(cause) === "ENOENT" ? "does not exist" : getErrorMessage(cause);
    throw new ConfigError(`${shown} ${reason}. Name a HoloDeck agent file, or a folder with such files.`, {
      cause,
    });
  }
}

function importText(shown: string, change: () => ImportedText): ImportedText {
  try {
    return change();
  } catch (cause) {
    throw new ConfigError(`${shown} cannot be imported: ${getErrorMessage(cause)}. Correct it first.`, { cause });
  }
}

/** Reads HoloDeck's configuration in a folder. Empty if the file cannot be read. */
export async function readConfig(folder: string): Promise<HolodeckConfig> {
  const read = (name: string) => readTextFile(join(folder, name));
  return readHolodeckConfig(await read("config.yml").catch(() => read("config.yaml").catch(() => "")));
}

/** Returns the changed cases of `test_cases_file`, or `undefined` if the file has no cases or needs no change. */
export async function importCases(agent: string, path: string) {
  const config: unknown = parse(agent, { logLevel: "silent" });
  const name = isPlainObject(config) ? config.test_cases_file : undefined;
  if (typeof name !== "string" || !/\.ya?ml$/.test(name)) return undefined;
  const text = await readTextFile(resolve(dirname(path), name)).catch(() => undefined);
  if (text === undefined) return undefined; // the check of the new file reports it
  const imported = importText(name, () => importHolodeckCases(text));
  return imported.edits.length === 0 ? undefined : { ...imported, name };
}

function toEdit({ line, ...rest }: Edit, file: string): AgentImport["edits"][number] {
  return { file, line: line === 0 ? null : line, ...rest };
}

interface NewFile {
  readonly path: string;
  readonly shown: string;
  readonly text: string;
}

async function refuseExisting({ path, shown }: NewFile): Promise<void> {
  if ((await lstat(path).catch(() => undefined)) === undefined) return;
  throw new ConfigError(`${shown} exists already. Choose another name with --output, or replace it with --force.`);
}

/** Writes the file. If the path is a link, the link itself is replaced. Writing through the link would change a file that nobody named. */
async function write({ path, text }: NewFile): Promise<void> {
  await rm(path, { force: true });
  await writeFile(path, text, { flag: "wx" });
}
