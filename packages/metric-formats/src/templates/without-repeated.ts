import type { ImportFinding } from "../import-report.ts";

/** Merges findings about a field that several models inherit into one. */
export function withoutRepeated(findings: readonly ImportFinding[]): readonly ImportFinding[] {
  return [...new Map(findings.map((each) => [JSON.stringify(each), each])).values()];
}
