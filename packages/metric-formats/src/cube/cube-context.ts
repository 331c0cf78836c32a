/** The shared state of one import from Cube. */
import { ImportRefusalError, type ImportReport } from "../import-report.ts";
import { attemptWithNotes } from "../templates/attempt-with-notes.ts";
import type { TemplateFields } from "../templates/template-fields.ts";
import { checkCubeKeys } from "./cube-keys.ts";
import type { CubeModel } from "./cube-model.ts";
import type { CubeNode } from "./cube-node.ts";

export type MemberKind = "cube" | "dimension" | "measure" | "join" | "segment";

export class CubeContext {
  readonly report: ImportReport;
  readonly cubes: ReadonlyMap<string, CubeModel>;
  readonly fields: TemplateFields;
  /** How often each key that does not affect numbers occurs. */
  readonly notNeeded: Map<string, number>;

  constructor(
    report: ImportReport,
    cubes: ReadonlyMap<string, CubeModel>,
    fields: TemplateFields,
    notNeeded: Map<string, number>,
  ) {
    this.report = report;
    this.cubes = cubes;
    this.fields = fields;
    this.notNeeded = notNeeded;
  }

  readonly count = (key: string): void => {
    this.notNeeded.set(key, (this.notNeeded.get(key) ?? 0) + 1);
  };

  attempt<Result extends NonNullable<unknown>>(
    node: CubeNode,
    kind: MemberKind,
    convert: () => Result,
  ): Result | undefined {
    return attemptWithNotes(this.report, node.subject(kind), node.position, () => {
      checkCubeKeys(node, kind, this.count);
      return convert();
    });
  }

  note(node: CubeNode, kind: MemberKind, reason: string): void {
    this.report.add("changed", node.subject(kind), reason, node.position);
  }

  quietly<Result>(convert: () => Result): Result | undefined {
    try {
      return convert();
    } catch (error) {
      if (!(error instanceof ImportRefusalError)) throw error;
      return undefined;
    }
  }
}

/** Returns the labels and descriptions of a member, without those that a template computes. */
export function memberWords(node: CubeNode): { description?: string; label?: string } {
  const textOf = (key: string) => {
    const value = node.child(key)?.value;
    return typeof value === "string" && value.trim() !== "" && !/\{[{%]/.test(value) ? value.trim() : undefined;
  };
  const [description, label] = [textOf("description"), textOf("title")];
  return { ...(description !== undefined && { description }), ...(label !== undefined && { label }) };
}
