import { readTextFile, sha256 } from "@bridle/core";
import type { RehearsedModel, ScriptInput } from "@bridle/rehearsal";

/**
 * Identifies a script. The hash of a function depends on its source text. Undefined for an unreadable file: the rehearsal reports it.
 * Relative paths start in the working folder.
 */
export async function hashOfScript(script: string | ScriptInput | RehearsedModel): Promise<string | undefined> {
  const text = typeof script === "string" ? await readTextFile(script).catch(() => undefined) : textOf(script);
  return text === undefined ? undefined : sha256(text).slice(0, 10);
}

function textOf(script: ScriptInput | RehearsedModel): string {
  return typeof script === "function" ? String(script) : JSON.stringify(script);
}
