/** The shared state of one import. */
import type { SourcePosition } from "@bridle/protocol";
import { ImportRefusalError, type ImportReport } from "../import-report.ts";
import { attemptWithNotes } from "../templates/attempt-with-notes.ts";
import type { TemplateFields } from "../templates/template-fields.ts";
import { checkParameters } from "./lookml-parameters.ts";
import type { LookmlBlock } from "./lookml-tree.ts";
import type { LookmlView } from "./lookml-view.ts";

export class LookmlContext {
  readonly report: ImportReport;
  readonly views: ReadonlyMap<string, LookmlView>;
  readonly isCaseSensitive: boolean;
  readonly fields: TemplateFields;
  /** The dimensions that were imported, by view. */
  readonly dimensions = new Map<string, ReadonlySet<string>>();
  /** How often each parameter that does not affect numbers occurs. */
  readonly notNeeded = new Map<string, number>();

  constructor(
    report: ImportReport,
    views: ReadonlyMap<string, LookmlView>,
    fields: TemplateFields,
    isCaseSensitive: boolean,
  ) {
    this.report = report;
    this.views = views;
    this.fields = fields;
    this.isCaseSensitive = isCaseSensitive;
  }

  readonly count = (key: string): void => {
    this.notNeeded.set(key, (this.notNeeded.get(key) ?? 0) + 1);
  };

  /** Returns the result. Adds a finding and returns undefined if the block is refused, or has a parameter that would change the result. */
  attempt<Result extends NonNullable<unknown>>(
    block: LookmlBlock,
    kind: "view" | "field" | "explore" | "join",
    convert: () => Result,
  ) {
    return attemptWithNotes(this.report, block.subject, block.position, () => {
      checkParameters(block, kind, this.count);
      return convert();
    });
  }

  hasDimension(view: string, dimension: string): boolean {
    return this.dimensions.get(view)?.has(dimension) === true;
  }

  note(block: LookmlBlock, reason: string, subject = block.subject, position: SourcePosition = block.position): void {
    this.report.add("changed", subject, reason, position);
  }

  /** Returns the result, or undefined if it was refused. The code that needs the result reports the refusal. */
  quietly<Result>(convert: () => Result): Result | undefined {
    try {
      return convert();
    } catch (error) {
      if (!(error instanceof ImportRefusalError)) throw error;
      return undefined;
    }
  }
}
