import type { SourcePosition } from "@bridle/protocol";
import type { ImportReport } from "../import-report.ts";

/** Works like `report.attempt`, but keeps notes about changes only if the import succeeds. */
export function attemptWithNotes<Result extends NonNullable<unknown>>(
  report: ImportReport,
  subject: string,
  position: SourcePosition,
  convert: () => Result,
): Result | undefined {
  const { length } = report.findings;
  const result = report.attempt(subject, position, convert);
  if (result === undefined) {
    const added = report.findings.splice(length);
    report.findings.push(...added.filter(({ kind }) => kind !== "changed"));
  }
  return result;
}
