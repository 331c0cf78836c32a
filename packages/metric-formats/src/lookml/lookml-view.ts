/** One view, as templates see it. */
import type { ParsedExpression } from "@bridle/semantic/model-parts";
import { refuseImport } from "../import-report.ts";
import { parseTemplate } from "../templates/parse-template.ts";
import type { TemplateModel, TemplateTarget } from "../templates/template-fields.ts";
import type { LookmlBlock } from "./lookml-tree.ts";
import { bandsOf } from "./tier-bands.ts";
import { timeframeInSql } from "./timeframes.ts";

/** The field that a reference names. */
export type LookmlField =
  | { readonly kind: "dimension" | "measure"; readonly block: LookmlBlock }
  | { readonly kind: "timeframe"; readonly block: LookmlBlock; readonly frame: string };

export class LookmlView implements TemplateModel {
  readonly name: string;
  readonly block: LookmlBlock;

  constructor(block: LookmlBlock) {
    this.name = block.name;
    this.block = block;
  }

  get dimensions(): readonly LookmlBlock[] {
    return this.block.blocks("dimension");
  }

  get groups(): readonly LookmlBlock[] {
    return this.block.blocks("dimension_group");
  }

  get measures(): readonly LookmlBlock[] {
    return this.block.blocks("measure");
  }

  field(name: string): LookmlField | undefined {
    const dimension = this.dimensions.find((each) => each.name === name);
    if (dimension) return { kind: "dimension", block: dimension };
    const measure = this.measures.find((each) => each.name === name);
    if (measure) return { kind: "measure", block: measure };
    const group = this.groups.find((each) => name.startsWith(`${each.name}_`));
    return group && { kind: "timeframe", block: group, frame: name.slice(group.name.length + 1) };
  }

  isMeasure(name: string): boolean {
    return this.field(name)?.kind === "measure";
  }

  row(name: string): ParsedExpression | undefined {
    const field = this.field(name);
    if (field?.kind === "dimension") return rowOfDimension(field.block);
    if (field?.kind !== "timeframe") {
      const isInput = this.block.blocks("filter", "parameter").some((each) => each.name === name);
      return isInput ? refuseImport(`It uses ${name}, which users enter for each query. Write its value.`) : undefined;
    }
    const { block, frame } = field;
    if (block.text("type") === "duration") refuseImport(`It uses the duration ${name}, which is not supported.`);
    return (
      timeframeInSql(frame, sqlOf(block)) ??
      refuseImport(`It uses ${name}, and the timeframe ${frame} has no SQL here. Use raw.`)
    );
  }

  target(reference: readonly string[], columns: readonly string[]): TemplateTarget {
    const [first = "", second, ...more] = reference;
    const [column, ...others] = columns;
    if (first === "TABLE" && second === undefined) {
      if (column === undefined || others.length > 0) refuseImport("TABLE is used without one column. Name a column.");
      return { kind: "column", owner: undefined, column };
    }
    if (more.length > 0 || column !== undefined)
      refuseImport(`{${reference.join(".")}} is not a field of a view. Write view.field.`);
    return second === undefined
      ? { kind: "field", owner: undefined, field: first }
      : { kind: "field", owner: first, field: second };
  }
}

export const lookmlReferences = /\$\{([^{}]*)\}/g;

/** Returns the SQL of a field, with the references in it. For a field without SQL, returns the column of the same name. */
export function sqlOf(block: LookmlBlock): ParsedExpression {
  const sql = block.text("sql");
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is a reference of LookML
  return sql === undefined ? { kind: "name", path: ["${TABLE}", block.name] } : parseTemplate(sql, lookmlReferences);
}

const withoutValue = ["location", "distance", "duration", "time", "unquoted"];

function rowOfDimension(block: LookmlBlock): ParsedExpression {
  const type = block.text("type") ?? "string";
  const [cases] = block.blocks("case");
  if (cases) return caseOf(cases);
  if (type === "tier" || type === "bin") return bandsOf(block, sqlOf(block));
  if (withoutValue.includes(type) || /^(date|duration)_(?!time$)/.test(type))
    refuseImport(`The type ${type} has no counterpart. Write its SQL as a string, a number, a date or a yesno.`);
  if (type !== "date" || block.text("datatype") === "date") return sqlOf(block);
  return timeframeInSql("date", sqlOf(block)) ?? sqlOf(block);
}

function caseOf(block: LookmlBlock): ParsedExpression {
  const text = (value: string): ParsedExpression => ({ kind: "literal", type: "text", value });
  const branches = block.blocks("when").map((each) => {
    const [sql, label] = [each.text("sql"), each.text("label")];
    if (sql === undefined || label === undefined) return refuseImport("A case has no sql or no label. Add it.");
    return { when: parseTemplate(sql, lookmlReferences), then: text(label) };
  });
  if (branches.length === 0) refuseImport("Its case has no condition. Add when: { sql: … ;; label: … }.");
  const otherwise = block.text("else");
  return { kind: "case", branches, otherwise: otherwise === undefined ? undefined : text(otherwise) };
}
