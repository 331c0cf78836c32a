/** Converts explores' joins to models' joins. */
import { type ModelJoin, mapExpression, type ParsedExpression } from "@bridle/semantic/model-parts";
import { refuseImport } from "../import-report.ts";
import { joinCondition } from "../templates/join-condition.ts";
import { parseTemplate, templateName } from "../templates/parse-template.ts";
import type { TemplateFields } from "../templates/template-fields.ts";
import type { LookmlBlock } from "./lookml-tree.ts";
import { type LookmlView, lookmlReferences } from "./lookml-view.ts";

export interface LookmlJoin {
  readonly from: string;
  readonly alias: string;
  readonly join: ModelJoin;
}

/** The views of an explore, by the explore's names for them. */
export type ExploreViews = ReadonlyMap<string, LookmlView>;

/** Converts a join. `rows` has the fields of the views, without joins. Throws an ImportRefusalError. */
export function convertJoin(block: LookmlBlock, base: string, views: ExploreViews, rows: TemplateFields): LookmlJoin {
  const type = block.text("type") ?? "left_outer";
  if (type !== "left_outer")
    refuseImport(
      `A join of the type ${type} adds or leaves out rows, but only in queries that use it. Use left_outer, and a filter.`,
    );
  const relationship = relationships.find((each) => each === (block.text("relationship") ?? "many_to_one"));
  if (!relationship)
    return refuseImport(
      `The relationship ${block.text("relationship")} is not supported. Join a view between them, with many_to_one and one_to_many.`,
    );
  const there =
    views.get(block.name) ?? refuseImport(`There is no view ${block.text("from") ?? block.name}. Add its file.`);
  const condition = conditijoinCondition(block, base, there);
  const owners = new Set(ownersOf(condition));
  const others = [...owners].filter((each) => each !== block.name);
  const [from, other] = others;
  if (from === undefined || other !== undefined || !owners.has(block.name))
    return refuseImport("Its condition does not compare two views: the joined one and another. Write it so.");
  const here = views.get(from) ?? refuseImport(`There is no view ${from} in the explore. Correct the condition.`);
  if (block.name === here.name)
    refuseImport(`Its name is that of the view ${here.name}, which is another one. Give the join another name.`);
  const resolved = withSides(condition, { [from]: [here, "{from}"], [block.name]: [there, "{to}"] }, rows);
  const name = block.name === there.name ? {} : { name: block.name };
  return {
    from: here.name,
    alias: block.name,
    join: { ...name, to: there.name, on: joinCondition(resolved), relationship },
  };
}

const relationships = ["many_to_one", "one_to_one", "one_to_many"] as const;

function conditijoinCondition(block: LookmlBlock, base: string, there: LookmlView): ParsedExpression {
  const sql = block.text("sql_on");
  if (sql !== undefined) return parseTemplate(sql, lookmlReferences);
  const foreign = block.text("foreign_key");
  if (foreign === undefined) return refuseImport("It has neither sql_on nor foreign_key. Add one.");
  const key = there.dimensions.find((each) => each.says("primary_key"));
  if (!key) return refuseImport(`foreign_key needs a primary_key in ${there.name}. Declare it.`);
  const local = foreign.includes(".") ? foreign : `${base}.${foreign}`;
  const [here, remote] = [local, `${block.name}.${key.name}`].map((each) => `$${"{"}${each}}`);
  return parseTemplate(`${here} = ${remote}`, lookmlReferences);
}

/** Returns the view and the field or column that a name refers to. */
function partsOf(path: readonly string[]): readonly [owner: string, field: string, isColumn: boolean] {
  const name = templateName(path);
  const [owner = "", field, ...more] = name ? name.reference : path;
  if (field === undefined || more.length > 0 || name?.columns.length)
    return refuseImport(`"${path.join(".")}" in the condition is not a field of a view. Write view.field.`);
  return [owner, field, name === undefined];
}

function ownersOf(condition: ParsedExpression): readonly string[] {
  const owners: string[] = [];
  mapExpression(condition, (part) => {
    if (part.kind === "name") owners.push(partsOf(part.path)[0]);
    return undefined;
  });
  return owners;
}

type Sides = Readonly<Record<string, readonly [view: LookmlView, side: string]>>;

function withSides(condition: ParsedExpression, sides: Sides, rows: TemplateFields): ParsedExpression {
  return mapExpression(condition, (part) => {
    if (part.kind !== "name") return undefined;
    const [owner, field, isColumn] = partsOf(part.path);
    const found = sides[owner];
    if (!found) return refuseImport(`There is no view ${owner} in the explore. Correct the condition.`);
    const [view, side] = found;
    if (isColumn) return { kind: "name", path: [side, field] };
    if (view.isMeasure(field)) refuseImport(`The condition uses the measure ${owner}.${field}. Join by columns.`);
    return mapExpression(rows.dimension(view, field), (inner) =>
      inner.kind === "name" ? { kind: "name", path: [side, ...inner.path] } : undefined,
    );
  });
}
