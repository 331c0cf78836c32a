/** Reads ingest's prompts for a rehearsed model. */
import type { RehearsedRequest } from "@bridle/rehearsal";

export interface AskedPassage {
  readonly name: string;
  readonly text: string;
}

/** Returns the passages or pairs in a prompt or a tool result. */
export function passagesIn(prompt: string): readonly AskedPassage[] {
  return Array.from(
    prompt.matchAll(/<(p\d+)-([0-9a-f]{8})>\n([\s\S]*?)\n<\/\1-\2>/g),
    ([, name = "", , text = ""]) => ({
      name,
      text,
    }),
  );
}

export type AskedStage = "triage" | "light" | "unit" | "verify" | "other";

export function stageOf({ system }: Pick<RehearsedRequest, "system">): AskedStage {
  if (system.includes("You sort passages")) return "triage";
  if (system.includes("You copy facts")) return "light";
  if (system.includes("You read passages")) return "unit";
  return system.includes("You check whether quotes") ? "verify" : "other";
}
