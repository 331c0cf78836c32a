import { counted } from "@bridle/protocol/text";

/** What is said of an agent whose tests never ran. Nothing but the height of a line until it is known how many cases it has. */
export function describeUntested(cases: number | undefined): string {
  if (cases === undefined) return "\u00a0";
  if (cases === 0) return "It has no test cases.";
  return `${counted(cases, "test case")}, not run yet.`;
}
