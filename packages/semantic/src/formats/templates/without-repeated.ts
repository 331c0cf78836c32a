import type { ImportFinding } from "../import-report.ts";

/** A field that several models inherit is one finding. */
export function withoutRepeated(findings: readonly ImportFinding[]): readonly ImportFinding[] {
  return [...new Map(findings.map((each) => [JSON.stringify(each), each])).values()];
}
