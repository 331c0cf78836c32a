import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { type AgentDefinition, type AgentSettings, namedFiles, shownConfig } from "@bridle/agent";
import { readRegularFile, readTextFile, sha256 } from "@bridle/core";
import { ConfigError, canonicalJson, systemErrorCode } from "@bridle/protocol";

/** Larger files count only by their size: reading them would take longer than many tests. */
const mostBytes = 32 * 1024 * 1024;

/**
 * A hash of everything that decides what is tested: the agent's file without credentials, its instructions and response format,
 * the code and the files that it names, the project's rules, and the script of a rehearsal. Searched documents are not part of
 * it. Throws ConfigError if the script cannot be read.
 */
export async function fingerprintOf(
  definition: AgentDefinition,
  { policy }: Pick<AgentSettings, "policy">,
  rehearse: string | undefined,
): Promise<string> {
  const { instructions, responseFormat, baseDir, config } = definition;
  const named = namedFiles(config, definition.toolKinds).filter(({ isBehaviour }) => isBehaviour);
  const files = named.map(async ({ path, name }) => [path.join("."), await hashOf(resolve(baseDir, name))] as const);
  return sha256(
    canonicalJson({
      config: shownConfig(definition),
      instructions: instructions.text,
      responseFormat,
      files: Object.fromEntries(await Promise.all(files)),
      rules: policy ?? null,
      script: rehearse === undefined ? null : sha256(await readScript(rehearse)),
    }),
  );
}

async function hashOf(file: string): Promise<string> {
  try {
    const { size } = await stat(file);
    return size > mostBytes ? `${size} bytes` : sha256(await readRegularFile(file, mostBytes));
  } catch {
    return "cannot be read"; // the code that uses the file reports it
  }
}

async function readScript(file: string): Promise<string> {
  try {
    return await readTextFile(file);
  } catch (cause) {
    const code = systemErrorCode(cause);
    throw new ConfigError(`The rehearsal script ${file} cannot be read (${code}). Correct its path.`, { cause });
  }
}
