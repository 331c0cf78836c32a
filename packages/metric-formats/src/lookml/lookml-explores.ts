/** Reads explores: their joins, and the rows that they leave out. */
import { refuseImport } from "../import-report.ts";
import { TemplateFields, type TemplateLink } from "../templates/template-fields.ts";
import { noteZone, withSql } from "./convert-dimensions.ts";
import { onOfKey } from "./join-key.ts";
import type { LookmlContext } from "./lookml-context.ts";
import { convertJoin, type ExploreViews, type LookmlJoin } from "./lookml-joins.ts";
import type { LookmlBlock } from "./lookml-tree.ts";
import type { LookmlView } from "./lookml-view.ts";

export interface LookmlExplore {
  readonly block: LookmlBlock;
  readonly base: LookmlView;
  readonly views: ExploreViews;
}

/** Returns the explores whose parameters can be imported. Their joins are read later. */
export function readExplores(blocks: readonly LookmlBlock[], context: LookmlContext): readonly LookmlExplore[] {
  return blocks.flatMap((block) => {
    const found = context.attempt(block, "explore", (): LookmlExplore => {
      if (block.text("symmetric_aggregates")?.toLowerCase() === "no")
        refuseImport("It turns symmetric aggregates off, so that Looker counts rows more than once. Remove that.");
      const viewName = block.text("from") ?? block.text("view_name") ?? block.name;
      const base = context.views.get(viewName) ?? refuseImport(`There is no imported view ${viewName}. Add its file.`);
      const alias = block.text("view_name") ?? block.name;
      const joined = block.blocks("join").flatMap((each) => {
        const view = context.views.get(each.text("from") ?? each.name);
        return view ? [[each.name, view] as const] : [];
      });
      return { block, base, views: new Map([[alias, base], ...joined]) };
    });
    if (found) reportDefaults(found, context);
    return found ? [found] : [];
  });
}

const defaults: Readonly<Record<string, string>> = {
  access_filter: "Rows are not left out by caller here. Write row_filters of the connection.",
  always_filter: "A query here has no filter that is always asked for. Name it in the query.",
  conditionally_filter: "A query here has no filter that is always asked for. Name it in the query.",
};

function reportDefaults({ block }: LookmlExplore, { report }: LookmlContext): void {
  for (const { key, position } of block.parameters) {
    const reason = defaults[key];
    if (reason !== undefined) report.add("refused", `${key} of ${block.subject}`, reason, position);
  }
}

/** Returns the joins of all explores, by the model that has them. Merges equal joins of several explores. */
export function joinsOfExplores(explores: readonly LookmlExplore[], context: LookmlContext): Map<string, LookmlJoin[]> {
  const rows = new TemplateFields(context.views, new Map());
  const all = new Map<string, LookmlJoin[]>();
  for (const explore of explores) {
    const base = explore.block.text("view_name") ?? explore.block.name;
    for (const block of explore.block.blocks("join")) {
      context.attempt(block, "join", () => {
        const join = convertJoin(block, base, explore.views, rows);
        addJoin(all, join, explore.block.name);
        noteZone(explore.base, withSql(block, block.text("sql_on") ?? "null"), context);
        return join;
      });
    }
  }
  return all;
}

function addJoin(all: Map<string, LookmlJoin[]>, found: LookmlJoin, explore: string): void {
  const others = all.get(found.from) ?? [];
  const same = others.find((each) => onOfKey(each) === onOfKey(found));
  if (same && same.join.relationship !== found.join.relationship)
    refuseImport(`Another explore joins the same with ${same.join.relationship}. Correct one of them.`);
  if (same) return;
  const isTaken = others.some(({ join }) => nameOf(join) === nameOf(found.join));
  const join = isTaken ? { ...found.join, name: `${explore}__${nameOf(found.join)}` } : found.join;
  all.set(found.from, [...others, { ...found, join }]);
}

function nameOf({ name, to }: LookmlJoin["join"]): string {
  return name ?? to;
}

export function linksOf(
  joins: ReadonlyMap<string, readonly LookmlJoin[]>,
): ReadonlyMap<string, readonly TemplateLink[]> {
  return new Map(
    [...joins].map(([from, list]) => [
      from,
      list.map(({ alias, join }) => ({
        alias,
        name: nameOf(join),
        to: join.to,
        isToMany: join.relationship === "one_to_many",
      })),
    ]),
  );
}
