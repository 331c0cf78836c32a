import { MetricRefusalError } from "@bridle/semantic/model-parts";

/** A construct that an export could not express, or expresses differently. */
export interface ExportFinding {
  /** `refused`: not in the text. `changed`: in the text, with another meaning or display. */
  readonly kind: "refused" | "changed";
  readonly model: string;
  /** The subject, such as `measure revenue`; undefined for the model itself. */
  readonly field?: string | undefined;
  /** One sentence with the reason, and if there is a remedy, a second one. */
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

  /** Returns the result. If the export of the entry is refused, adds a finding and returns undefined. */
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

  /** Returns the results of the entries that were not refused. */
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
