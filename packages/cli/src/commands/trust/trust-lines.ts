import type { Status } from "@bridle/app/status";
import { formatEffect } from "@bridle/app/trust";

/** What files do, one line for each effect; empty if there is nothing to trust. */
export function trustLines({ isTrusted, effects }: Status["trust"]): string[] {
  if (effects.length === 0) return [];
  const verdict = isTrusted ? "trusted. The files do this:" : "not trusted. Nothing was run. The files would do this:";
  return [verdict, ...effects.map((effect) => `${formatEffect(effect)} (${effect.field})`)];
}
