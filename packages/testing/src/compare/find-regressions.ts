import type { CaseComparison } from "./comparison.ts";

/**
 * Describes the regressions, one sentence for each case. Includes cases that passed before and have no result now, because removing a test
 * does not fix it.
 */
export function findRegressions(cases: readonly CaseComparison[]): string[] {
  return cases.flatMap((each) => {
    const reason = regressionOf(each);
    return reason === undefined ? [] : [`"${each.name}" ${reason}`];
  });
}

function regressionOf({ change, before, passRate }: CaseComparison): string | undefined {
  if (change === "broken") return "passed before, and fails now.";
  if (change === "removed" && before === "passed") return "passed before, and is missing now.";
  if (change === "not-compared" && before === "passed") return "passed before, and has no result now.";
  const { before: was, after: is } = passRate;
  if (was === null || is === null || is >= was) return undefined;
  return `passed in ${percent(was)} of its trials before, and in ${percent(is)} now.`;
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}
