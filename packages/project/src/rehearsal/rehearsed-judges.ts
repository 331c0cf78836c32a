import type { RehearsedModel, ScriptInput } from "@bridle/rehearsal";

/** The replacement of the models that judge: a judgement that always passes or always fails, or the script. */
export type RehearsedJudges = "pass" | "fail" | "script";

/** The judges of a rehearsal; a model in code judges itself. Throws ConfigError if the script cannot be read or is not valid. */
export async function rehearsedJudges(script: string | ScriptInput | RehearsedModel): Promise<RehearsedJudges> {
  if (typeof script === "function") return "script";
  const { defineScript, loadScript } = await import("@bridle/rehearsal");
  const { judges = "script" } = typeof script === "string" ? await loadScript(script) : defineScript(script);
  return judges;
}
