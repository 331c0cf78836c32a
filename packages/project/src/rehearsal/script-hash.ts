import { readTextFile, sha256 } from "@bridle/core";
import type { RehearsedModel, ScriptInput } from "@bridle/rehearsal";

/**
 * Differs for another script; of a function, for another text of it. Undefined for a file that the rehearsal will say cannot be read. A
 * path starts in the working folder.
 */
export async function hashOfScript(script: string | ScriptInput | RehearsedModel): Promise<string | undefined> {
  const text = typeof script === "string" ? await readTextFile(script).catch(() => undefined) : textOf(script);
  return text === undefined ? undefined : sha256(text).slice(0, 10);
}

function textOf(script: ScriptInput | RehearsedModel): string {
  return typeof script === "function" ? String(script) : JSON.stringify(script);
}
