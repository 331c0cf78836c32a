import { type AgentDefinition, type AgentSettings, shownConfig } from "@bridle/agent";
import { readTextFile, sha256 } from "@bridle/core";
import type { RuntimeChoices } from "@bridle/project";
import { ConfigError, canonicalJson, systemErrorCode } from "@bridle/protocol";

/**
 * Returns a hash of the inputs of every case: the agent file without credentials, its instructions and response format, the project's
 * rules, and the script of a rehearsal. Files that the agent file names are in the contents of cases instead. Searched documents are in
 * neither. Throws ConfigError if the script cannot be read.
 */
export async function fingerprintOf(
  definition: AgentDefinition,
  { policy }: Pick<AgentSettings, "policy">,
  rehearse: RuntimeChoices["rehearse"],
): Promise<string> {
  const { instructions, responseFormat } = definition;
  return sha256(
    canonicalJson({
      config: shownConfig(definition),
      instructions: instructions.text,
      responseFormat,
      rules: policy ?? null,
      script: rehearse === undefined ? null : sha256(await readScript(rehearse)),
    }),
  );
}

async function readScript(file: NonNullable<RuntimeChoices["rehearse"]>): Promise<string> {
  if (typeof file !== "string") return canonicalJson(file);
  try {
    return await readTextFile(file);
  } catch (cause) {
    const code = systemErrorCode(cause);
    throw new ConfigError(`The rehearsal script ${file} cannot be read (${code}). Correct its path.`, { cause });
  }
}
