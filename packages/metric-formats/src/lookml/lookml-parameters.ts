/** LookML's parameters that do not affect numbers, and those that do. */
import { type ImportReport, refuseImport } from "../import-report.ts";
import type { LookmlBlock } from "./lookml-tree.ts";

type BlockKind = "file" | "view" | "field" | "explore" | "join";

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(" "));
}

/** Parameters that only affect how something is shown, found, stored or cached, and so are counted and ignored. */
const notNeeded: Readonly<Record<BlockKind, ReadonlySet<string>>> = {
  file: words(
    "label connection named_value_format datagroup persist_for persist_with access_grant fiscal_month_offset map_layer test project_name local_dependency remote_dependency override_constant application localization_settings new_lookml_runtime visualization export constant case_sensitive lookml_version",
  ),
  view: words(
    "set drill_fields fields_hidden_by_default suggestions view_label label tags final extends extension description",
  ),
  field: words(
    "view_label group_label group_item_label hidden value_format value_format_name html link action drill_fields tags can_filter can_visualize alias suggestable suggestions suggest_explore suggest_dimension suggest_persist_for full_suggestions bypass_suggest_restrictions order_by_field alpha_sort allow_fill skip_drill_filter required_fields style map_layer_name default_value label_from_parameter allow_approximate_optimization approximate_threshold precision string_datatype fill_style list_field direction",
  ),
  explore: words(
    "label view_label group_label description hidden fields always_join persist_with persist_for cancel_grouping_fields tags aggregate_table query final extends extension max_cache_age case_sensitive",
  ),
  join: words("view_label fields required_joins"),
};

/** Parameters that the import reads. */
const used: Readonly<Record<BlockKind, ReadonlySet<string>>> = {
  file: words("view explore include week_start_day"),
  view: words("sql_table_name derived_table dimension dimension_group measure filter parameter"),
  field: words(
    "type sql label description primary_key timeframes intervals datatype convert_tz tiers bins case filters sql_distinct_key percentile approximate based_on based_on_time period kind value_to_date sql_start sql_end sql_latitude sql_longitude start_location_field end_location_field units allowed_value",
  ),
  explore: words(
    "join from view_name sql_always_where access_filter always_filter conditionally_filter symmetric_aggregates",
  ),
  join: words("type relationship from sql_on foreign_key"),
};

const refused: Readonly<Record<string, string>> = {
  required_access_grants:
    "Its access grants would not be kept: every caller would see it. Leave it out, or remove them.",
  fanout_on: "fanout_on computes over repeated rows, which is not supported. Create a table of these rows.",
  expression: "It is an expression of Looker's own language, which is not supported. Write its SQL.",
  sql_case: "sql_case is an old parameter. Write it as case.",
  sql_always_having: "sql_always_having leaves out groups, so it cannot be part of a model. Use a filter of the query.",
  sql_where: "sql_where leaves out rows. Write the condition in sql_on, or filter the query.",
  sql_table_name: "It has its own table. Declare a view with this table.",
  outer_only: "outer_only leaves out rows. Write the join without it.",
  sql: "A join in SQL is not supported. Use sql_on.",
  sql_foreign_key: "sql_foreign_key is an old parameter. Use sql_on.",
};

/** Refuses a block with parameters that would change its meaning, and counts parameters that are not needed. */
export function checkParameters(block: LookmlBlock, kind: BlockKind, count: (key: string) => void): void {
  for (const { key } of block.parameters) {
    if (used[kind].has(key)) continue;
    if (notNeeded[kind].has(key)) count(key);
    else refuseImport(refused[key] ?? `The parameter "${key}" is unknown, and may change the meaning. Remove it.`);
  }
}

/** Checks the parameters of the files themselves. */
export function checkFile(file: LookmlBlock, report: ImportReport, count: (key: string) => void): void {
  for (const { key, position, value } of file.parameters) {
    if (notNeeded.file.has(key)) count(key);
    else if (!used.file.has(key)) report.add("refused", key, "It is not known here. Remove it.", position);
    const text = value.kind === "text" ? value.text.toLowerCase() : "";
    if (key === "week_start_day" && text !== "monday")
      report.add("changed", key, `Weeks start on Monday, unless the query has weekStart: ${text}.`, position);
  }
}
