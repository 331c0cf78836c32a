import type { RehearsedModel, ScriptInput } from "@bridle/rehearsal";

/** The replacement of models that judge: verdicts that always pass or always fail, or the script. */
export type RehearsedJudges = "pass" | "fail" | "script";

/** Returns the judges of a rehearsal; a model that is a function also answers as the judge. Throws ConfigError for an invalid script. */
export async function rehearsedJudges(script: string | ScriptInput | RehearsedModel): Promise<RehearsedJudges> {
  if (typeof script === "function") return "script";
  const { defineScript, loadScript } = await import("@bridle/rehearsal");
  const { judges = "script" } = typeof script === "string" ? await loadScript(script) : defineScript(script);
  return judges;
}
