/**
 * Converts `sql_always_where`, a condition on the rows of every query over an explore. It becomes a filter of each measure in the explore's
 * base view.
 */
import { mapExpression, type ParsedExpression, printExpression } from "@bridle/semantic/model-parts";
import { refuseImport } from "../import-report.ts";
import { parseTemplate, templateName } from "../templates/parse-template.ts";
import { type DimensionsOfModels, shadowedColumn } from "../templates/shadowed-column.ts";
import { noteZone, withSql } from "./convert-dimensions.ts";
import type { LookmlContext } from "./lookml-context.ts";
import type { LookmlExplore } from "./lookml-explores.ts";
import { type LookmlView, lookmlReferences } from "./lookml-view.ts";

export interface BaseRows {
  /** The filters of all measures in the view. */
  readonly filters: readonly string[];
  /** The reason why the view's measures have no single meaning. */
  readonly refusal: string | undefined;
}

/**
 * Finds the condition of each base view. Explores with the same base view must leave out the same rows. If they did not, the view's
 * measures would have two meanings.
 */
export function baseRows(
  view: LookmlView,
  explores: readonly LookmlExplore[],
  dimensions: DimensionsOfModels,
  context: LookmlContext,
): BaseRows {
  const own = explores.filter(({ base }) => base === view);
  const found = own.map((explore) => {
    const filter = context.report.attempt(
      `sql_always_where of ${explore.block.subject}`,
      explore.block.at("sql_always_where"),
      () => filterOf(explore, dimensions, context),
    );
    return { explore, filter };
  });
  const filters = new Set(found.flatMap(({ filter }) => (filter === undefined ? [] : [filter])));
  if (filters.size === 0 && found.length > 0)
    return {
      filters: [],
      refusal: "The rows that its explore leaves out cannot be kept. Correct its sql_always_where.",
    };
  if (filters.size <= 1) return { filters: [...filters].filter((each) => each !== ""), refusal: undefined };
  for (const { explore, filter } of found.filter(({ filter: each }) => each !== ""))
    if (filter !== undefined) {
      const why = `It leaves out rows that another explore of ${view.name} has, so a measure would have two meanings.`;
      context.report.add(
        "refused",
        `sql_always_where of ${explore.block.subject}`,
        `${why} Declare a view for it.`,
        explore.block.at("sql_always_where"),
      );
    }
  const isPlain = filters.has("");
  return {
    filters: [],
    refusal: isPlain ? undefined : `The explores of ${view.name} leave out different rows. Declare a view for each.`,
  };
}

/** Returns the condition, or an empty string if there is none. */
function filterOf(
  { block, base, views }: LookmlExplore,
  dimensions: DimensionsOfModels,
  context: LookmlContext,
): string {
  const sql = block.text("sql_always_where");
  if (sql === undefined) return "";
  const alias = [...views].find(([, view]) => view === base)?.[0] ?? base.name;
  const parsed = mapExpression(parseTemplate(sql, lookmlReferences), (part) =>
    part.kind === "name" ? unaliased(part.path, alias, base.name) : undefined,
  );
  const resolved = context.fields.columns(base, parsed);
  const other = shadowedColumn(resolved, base.name, context.fields, dimensions);
  if (other !== undefined)
    refuseImport(`The column ${other} has the name of a dimension that is something else. Rename the dimension.`);
  noteZone(base, withSql(block, sql), context);
  return printExpression(resolved);
}

function unaliased(path: readonly string[], alias: string, base: string): ParsedExpression | undefined {
  const name = templateName(path);
  if (name?.reference[0] !== alias || name.reference.length !== 2 || alias === base) return undefined;
  return { kind: "name", path: [`\${${base}.${name.reference[1]}}`] };
}
