import { readTextFile, sha256 } from "@bridle/core";
import type { RehearsedModel, ScriptInput } from "@bridle/rehearsal";

/**
 * Computes a hash that identifies a script. The hash of a function depends on its source text. Undefined for an unreadable file, which the
 * rehearsal reports. Relative paths are resolved against the working directory.
 */
export async function hashOfScript(script: string | ScriptInput | RehearsedModel): Promise<string | undefined> {
  const text = typeof script === "string" ? await readTextFile(script).catch(() => undefined) : textOf(script);
  return text === undefined ? undefined : sha256(text).slice(0, 10);
}

function textOf(script: ScriptInput | RehearsedModel): string {
  return typeof script === "function" ? String(script) : JSON.stringify(script);
}
