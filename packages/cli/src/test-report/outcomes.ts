import type { CaseResult } from "@bridle/app/tests";
import type { Colour } from "../terminal/paint.ts";

type Outcome = CaseResult["outcome"] | "flaky";

const looks: Readonly<Record<Outcome, readonly [mark: string, colour: Colour]>> = {
  passed: ["✓", "green"],
  failed: ["✗", "red"],
  errored: ["!", "yellow"],
  flaky: ["~", "yellow"],
  "not-run": ["·", "dim"],
};

/** Returns an outcome's mark. Every text uses the same marks. */
export function markOf(outcome: Outcome): string {
  return looks[outcome][0];
}

export function colourOf(outcome: Outcome): Colour {
  return looks[outcome][1];
}
