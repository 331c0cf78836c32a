/** Converts a cube's dimensions, primary keys and segments. */
import {
  type ModelDimension,
  namesInExpression,
  type ParsedExpression,
  printExpression,
  type SemanticModel,
} from "@bridle/semantic/model-parts";
import { refuseImport } from "../import-report.ts";
import { fractionNote, mayDropFraction } from "../templates/drops-fraction.ts";
import { type DimensionsOfModels, shadowedColumn } from "../templates/shadowed-column.ts";
import { ownColumns } from "../templates/template-fields.ts";
import { type CubeContext, memberWords } from "./cube-context.ts";
import { type CubeModel, sqlOfMember } from "./cube-model.ts";
import type { CubeNode } from "./cube-node.ts";

const types: Readonly<Record<string, ModelDimension["type"]>> = {
  number: "number",
  boolean: "boolean",
  time: "timestamp",
};

export function convertCubeDimensions(cube: CubeModel, context: CubeContext): ModelDimension[] {
  return cube.source.dimensions.flatMap((node) => {
    const found = context.attempt(node, "dimension", (): ModelDimension => {
      const parsed = context.fields.dimension(cube, node.name);
      if (mayDropFraction(parsed)) context.note(node, "dimension", fractionNote);
      refuseGranularities(node, context);
      const type = types[node.text("type") ?? "string"];
      return { name: node.name, ...exprOfMember(node.name, parsed), ...(type && { type }), ...memberWords(node) };
    });
    return found ? [found] : [];
  });
}

function refuseGranularities(node: CubeNode, { report }: CubeContext): void {
  for (const each of node.entries("granularities")) {
    const why =
      "A custom granularity is not supported. A query has hour, day, week, month, quarter and year, and weekStart.";
    report.add("refused", `granularity ${each.name} of ${node.name}`, why, each.position);
  }
}

/** Returns the columns from which the primary key dimensions are computed. */
export function cubeKey(cube: CubeModel, context: CubeContext): string[] | undefined {
  const keys = cube.source.dimensions.filter((each) => each.isTrue("primary_key"));
  const columns = context.quietly(() => {
    const parsed = keys.map((each) => context.fields.dimension(cube, each.name));
    const isOwn = parsed.every((each) => {
      const names = namesInExpression(each);
      return names.length > 0 && names.every((path) => path.length === 1);
    });
    return isOwn ? [...new Set(parsed.flatMap((each) => ownColumns(each)))] : undefined;
  });
  return columns?.length ? columns : undefined;
}

export function convertSegments(
  cube: CubeModel,
  dimensions: DimensionsOfModels,
  context: CubeContext,
): NonNullable<SemanticModel["segments"]> {
  return cube.source.segments.flatMap((node) => {
    const found = context.attempt(node, "segment", () => {
      const parsed = context.fields.columns(cube, sqlOfMember(node));
      const other = shadowedColumn(parsed, cube.name, context.fields, dimensions);
      if (other !== undefined)
        refuseImport(`The column ${other} has the name of a dimension that is something else. Rename the dimension.`);
      return { name: node.name, filter: printExpression(parsed), ...memberWords(node) };
    });
    return found ? [found] : [];
  });
}

function exprOfMember(name: string, parsed: ParsedExpression): { expr?: string } {
  const isColumn = parsed.kind === "name" && parsed.path.length === 1 && parsed.path[0] === name;
  return isColumn ? {} : { expr: printExpression(parsed) };
}
