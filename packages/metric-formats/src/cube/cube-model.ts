/** One cube, as templates see it. */
import type { ParsedExpression } from "@bridle/semantic/model-parts";
import { refuseImport } from "../import-report.ts";
import { parseTemplate } from "../templates/parse-template.ts";
import type { TemplateModel, TemplateTarget } from "../templates/template-fields.ts";
import type { CubeDeclaration } from "./collect-cubes.ts";
import type { CubeNode } from "./cube-node.ts";

export class CubeModel implements TemplateModel {
  readonly name: string;
  readonly source: CubeDeclaration;
  readonly #cubes: ReadonlySet<string>;

  /** `cubes` are the names of all cubes. */
  constructor(source: CubeDeclaration, cubes: ReadonlySet<string>) {
    this.name = source.name;
    this.source = source;
    this.#cubes = cubes;
  }

  isMeasure(name: string): boolean {
    return this.source.measures.some((each) => each.name === name);
  }

  row(name: string): ParsedExpression | undefined {
    const node = this.source.dimensions.find((each) => each.name === name);
    return node && rowOf(node);
  }

  target(reference: readonly string[], columns: readonly string[]): TemplateTarget {
    const [first = "", second, ...more] = reference;
    const [column, ...others] = columns;
    const owner = first === "CUBE" ? this.name : first;
    const isCube = first === "CUBE" || this.#cubes.has(first);
    if (more.length > 0 || others.length > 0 || (second !== undefined && column !== undefined))
      return refuseImport(
        `{${reference.join(".")}} is not a member of a cube. Write cube.member, without a granularity.`,
      );
    if (second !== undefined && isCube) return { kind: "field", owner, field: second };
    if (column !== undefined && isCube) return { kind: "column", owner, column };
    if (second !== undefined || column !== undefined || isCube)
      return refuseImport(`{${reference.join(".")}} is not a member of a cube. Write cube.member.`);
    return { kind: "field", owner: undefined, field: first };
  }
}

const cubeReferences = /\{([^{}]*)\}/g;

/** Returns the SQL of a member, with the references in it. */
export function sqlOfMember(node: CubeNode): ParsedExpression {
  const sql = node.text("sql") ?? refuseImport("It has no sql. Add it.");
  return parseTemplate(sql, cubeReferences);
}

function rowOf(node: CubeNode): ParsedExpression {
  if (node.isTrue("sub_query"))
    refuseImport("A dimension over a measure is not supported. Create a view with its values.");
  const type = node.text("type") ?? "string";
  if (!["string", "number", "boolean", "time"].includes(type))
    refuseImport(`The type ${type} has no counterpart. Use string, number, boolean or time.`);
  const cases = node.child("case");
  return cases ? caseOf(cases) : sqlOfMember(node);
}

function caseOf(node: CubeNode): ParsedExpression {
  const branches = node.entries("when").map((each) => ({ when: sqlOfMember(each), then: labelOf(each) }));
  if (branches.length === 0) refuseImport("Its case has no condition. Add when with sql and label.");
  const otherwise = node.child("else");
  return { kind: "case", branches, otherwise: otherwise && labelOf(otherwise) };
}

/** Returns the label, which is plain text or SQL. */
function labelOf(node: CubeNode): ParsedExpression {
  const label = node.child("label");
  if (!label) return refuseImport("A case has no label. Add it.");
  if (typeof label.value === "object") return sqlOfMember(label);
  return { kind: "literal", type: "text", value: node.text("label") ?? "" };
}
