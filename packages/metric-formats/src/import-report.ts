/** A construct that was not imported, or was imported differently. */
import type { SourcePosition } from "@bridle/protocol";

export interface ImportFinding {
  /** `refused`: not in the models. `changed`: in the models, with another meaning or display. */
  readonly kind: "refused" | "changed";
  /** The subject, such as `measure revenue`. */
  readonly subject: string;
  /** One sentence with the reason, and if there is a remedy, a second one. */
  readonly reason: string;
  readonly position: SourcePosition;
}

/** Ends the import of one construct with its reason. */
export class ImportRefusalError extends Error {}

/** Ends the import of one construct. */
export function refuseImport(reason: string): never {
  throw new ImportRefusalError(reason);
}

/** Collects the findings of one import. */
export class ImportReport {
  readonly findings: ImportFinding[] = [];

  add(kind: ImportFinding["kind"], subject: string, reason: string, position: SourcePosition): void {
    this.findings.push({ kind, subject, reason, position });
  }

  /** Returns the result. If the import of the construct is refused, adds a finding and returns undefined. */
  attempt<Result>(subject: string, position: SourcePosition, convert: () => Result): Result | undefined {
    try {
      return convert();
    } catch (error) {
      if (!(error instanceof ImportRefusalError)) throw error;
      this.add("refused", subject, error.message, position);
      return undefined;
    }
  }
}

/** Sorts findings in the order of the files and their lines. */
export function inOrder(
  findings: readonly ImportFinding[],
  files: readonly { readonly file: string }[],
): readonly ImportFinding[] {
  const order = new Map(files.map(({ file }, index) => [file, index]));
  const fileOf = ({ position }: ImportFinding) => order.get(position.file) ?? files.length;
  return findings.toSorted(
    (a, b) =>
      fileOf(a) - fileOf(b) ||
      (a.position.line ?? 0) - (b.position.line ?? 0) ||
      (a.position.column ?? 0) - (b.position.column ?? 0),
  );
}
