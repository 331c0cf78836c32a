/** Converts cubes' joins. The cube that declares a join is on the left. */
import { type ModelJoin, mapExpression, type ParsedExpression } from "@bridle/semantic/model-parts";
import { refuseImport } from "../import-report.ts";
import { joinCondition } from "../templates/join-condition.ts";
import { templateName } from "../templates/parse-template.ts";
import type { TemplateFields, TemplateLink } from "../templates/template-fields.ts";
import type { CubeContext } from "./cube-context.ts";
import { type CubeModel, sqlOfMember } from "./cube-model.ts";
import type { CubeNode } from "./cube-node.ts";

const relationships: Readonly<Record<string, ModelJoin["relationship"]>> = {
  one_to_one: "one_to_one",
  has_one: "one_to_one",
  hasOne: "one_to_one",
  one_to_many: "one_to_many",
  has_many: "one_to_many",
  hasMany: "one_to_many",
  many_to_one: "many_to_one",
  belongs_to: "many_to_one",
  belongsTo: "many_to_one",
};

/** Converts the joins of a cube. `rows` has the fields of the cubes, without joins. */
export function convertCubeJoins(cube: CubeModel, rows: TemplateFields, context: CubeContext): ModelJoin[] {
  return cube.source.joins.flatMap((node) => {
    const found = context.attempt(node, "join", () => joinOf(cube, node, rows, context));
    return found ? [found] : [];
  });
}

function joinOf(cube: CubeModel, node: CubeNode, rows: TemplateFields, context: CubeContext): ModelJoin {
  const there = context.cubes.get(node.name) ?? refuseImport(`There is no imported cube ${node.name}. Add it.`);
  if (there === cube) refuseImport("A cube that joins itself is not supported. Extend it under another name.");
  const relationship = relationships[node.text("relationship") ?? node.text("type") ?? ""];
  if (!relationship) return refuseImport("Its relationship is not known. Use one_to_one, one_to_many or many_to_one.");
  const resolved = mapExpression(sqlOfMember(node), (part) =>
    part.kind === "name" ? sideOf(part.path, cube, there, rows) : undefined,
  );
  return { to: there.name, on: joinCondition(resolved), relationship };
}

function sideOf(path: readonly string[], here: CubeModel, there: CubeModel, rows: TemplateFields): ParsedExpression {
  const name = templateName(path);
  if (!name) return refuseImport(`"${path.join(".")}" in the condition names no cube. Write {CUBE}.column.`);
  const target = here.target(name.reference, name.columns);
  const owner = target.owner ?? here.name;
  if (owner !== here.name && owner !== there.name)
    return refuseImport(`Its condition names the cube ${owner}. Compare ${here.name} and ${there.name}.`);
  const [cube, side] = owner === here.name ? [here, "{from}"] : [there, "{to}"];
  if (target.kind === "column") return { kind: "name", path: [side, target.column] };
  if (cube.isMeasure(target.field))
    return refuseImport(`The condition uses the measure ${owner}.${target.field}. Join by columns.`);
  return mapExpression(rows.dimension(cube, target.field), (inner) =>
    inner.kind === "name" ? { kind: "name", path: [side, ...inner.path] } : undefined,
  );
}

export function cubeLinks(
  joins: ReadonlyMap<string, readonly ModelJoin[]>,
): ReadonlyMap<string, readonly TemplateLink[]> {
  return new Map(
    [...joins].map(([from, list]) => [
      from,
      list.map(({ to, relationship }) => ({ name: to, alias: to, to, isToMany: relationship === "one_to_many" })),
    ]),
  );
}
