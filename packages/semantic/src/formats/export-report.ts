import { MetricRefusalError } from "../refusals/metric-refusal.ts";

/** What an export could not express, or expresses differently. */
export interface ExportFinding {
  /** `refused`: it is not in the text. `changed`: it is, and means or shows something else there. */
  readonly kind: "refused" | "changed";
  readonly model: string;
  /** What it is about, such as `measure revenue`; undefined for the model itself. */
  readonly field?: string | undefined;
  /** One sentence with the reason, and one with the remedy if there is one. */
  readonly reason: string;
}

export interface ExportedText {
  readonly text: string;
  readonly findings: readonly ExportFinding[];
}

class ExportRefusalError extends Error {}

/** Ends the export of one entry with its reason. */
export function refuseExport(reason: string): never {
  throw new ExportRefusalError(reason);
}

/** Collects the findings about one model. */
export class ExportReport {
  readonly findings: ExportFinding[] = [];

  refuse(model: string, field: string | undefined, reason: string): void {
    this.findings.push({ kind: "refused", model, field, reason });
  }

  change(model: string, field: string | undefined, reason: string): void {
    this.findings.push({ kind: "changed", model, field, reason });
  }

  /** The result, or nothing and a finding if the export of the entry was refused. */
  attempt<Result>(model: string, field: string, convert: () => Result): Result | undefined {
    try {
      return convert();
    } catch (error) {
      const isRefusal = error instanceof ExportRefusalError || error instanceof MetricRefusalError;
      if (!isRefusal) throw error;
      this.refuse(model, field, error.message);
      return undefined;
    }
  }

  /** The results of those entries that were not refused. */
  each<Entry extends { readonly name: string }, Result>(
    model: string,
    kind: string,
    entries: readonly Entry[] | undefined,
    convert: (entry: Entry) => Result,
  ): readonly Result[] {
    return (entries ?? []).flatMap((entry) => {
      const found = this.attempt(model, `${kind} ${entry.name}`, () => convert(entry));
      return found === undefined ? [] : [found];
    });
  }
}
