import type { Status } from "@bridle/app/status";
import { formatEffect } from "@bridle/app/trust";
import { effectRows } from "../../questions/trust-question.ts";

/** Formats the effects of files as rows of a screen; empty without effects. */
export function trustLines({ isTrusted, effects }: Status["trust"], width: number): string[] {
  if (effects.length === 0) return [];
  const verdict = isTrusted ? "trusted. The files do this:" : "not trusted. Nothing was run. The files would do this:";
  return [verdict, ...effects.flatMap((effect) => effectRows(`${formatEffect(effect)} (${effect.field})`, width))];
}
