import { counted } from "@bridle/protocol/text";

/**
 * Describes an agent whose tests have never run. Returns a blank line until the number of cases is known, so that the layout does not
 * shift.
 */
export function describeUntested(cases: number | undefined): string {
  if (cases === undefined) return "\u00a0";
  if (cases === 0) return "It has no test cases.";
  return `${counted(cases, "test case")}, not run yet.`;
}
