import type { ImportFinding } from "../import-report.ts";

/** Findings of a field that several models inherit are merged into one. */
export function withoutRepeated(findings: readonly ImportFinding[]): readonly ImportFinding[] {
  return [...new Map(findings.map((each) => [JSON.stringify(each), each])).values()];
}
