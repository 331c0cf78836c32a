/** Cube's keys that do not affect numbers, and those that do. */
import { refuseImport } from "../import-report.ts";
import type { CubeNode } from "./cube-node.ts";

type MemberKind = "cube" | "dimension" | "measure" | "join" | "segment";

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(" "));
}

const notNeeded: Readonly<Record<MemberKind, ReadonlySet<string>>> = {
  cube: words("public shown meta sql_alias refresh_key pre_aggregations hierarchies folders rewrite_queries"),
  dimension: words(
    "public shown meta format aliases currency links order suggest_filter_values suggestions propagate_filters_to_sub_query",
  ),
  measure: words("public shown meta format aliases currency drill_members drill_member_references drill_filters"),
  join: words("meta"),
  segment: words("public shown meta aliases"),
};

const used: Readonly<Record<MemberKind, ReadonlySet<string>>> = {
  cube: words(
    "name sql sql_table extends data_source title description joins dimensions measures segments access_policy calendar",
  ),
  dimension: words("name sql type case title description primary_key sub_query granularities latitude longitude"),
  measure: words("name sql type filters rolling_window multi_stage time_shift title description"),
  join: words("name sql relationship"),
  segment: words("name sql title description"),
};

const refused: Readonly<Record<string, string>> = {
  case: "Its case depends on a dimension that a query switches. Write one measure for each value.",
  group_by: "group_by of a multi-stage measure is not supported. Use a metric of the type share.",
  reduce_by: "reduce_by of a multi-stage measure is not supported. Use a metric of the type share.",
  add_group_by: "add_group_by of a multi-stage measure is not supported. Create a view with this grain.",
  grain: "The grain of a multi-stage measure is not supported. Create a view with this grain.",
  order_by: "A rank is not supported. Order and limit the query.",
  time_shift: "A custom calendar is not supported. Use an offset metric.",
  values: "A dimension that a query switches is not supported. Write one measure for each value.",
  mask: "Masks are not kept: every caller would see the values. Declare the column as sensitive.",
  multi_stage: "A dimension over aggregated rows is not supported. Create a view.",
};

/** Refuses a member with keys that would change its meaning, and counts keys that are not needed. */
export function checkCubeKeys(node: CubeNode, kind: MemberKind, count: (key: string) => void): void {
  node.requireMembers();
  for (const key of node.keys) {
    if (used[kind].has(key)) continue;
    if (notNeeded[kind].has(key)) count(key);
    else refuseImport(refused[key] ?? `The key "${key}" is unknown, and may change the meaning. Remove it.`);
  }
}
