/**
 * The functions of SQLite 3.53 that only compute from their arguments. The list leaves out functions with effects (`load_extension`,
 * `fts3_tokenizer`, `optimize`, `sqlite_log`), functions about the build of SQLite, and functions that check or show index pages.
 */
export const functionsThatRead: ReadonlySet<string> = new Set(
  [
    // Scalars. `like`, `glob`, `regexp` and `match` are also operators.
    "abs char coalesce concat concat_ws format glob hex if ifnull iif instr length like likelihood likely lower ltrim match",
    "max min nullif octet_length printf quote random randomblob regexp replace round rtrim sign soundex substr substring",
    "trim typeof unhex unicode unistr unistr_quote unlikely upper zeroblob subtype changes total_changes last_insert_rowid",
    // Aggregates and windows
    "avg count group_concat string_agg sum total median percentile percentile_cont percentile_disc",
    "row_number rank dense_rank percent_rank cume_dist ntile lag lead first_value last_value nth_value",
    // Dates
    "date time datetime julianday unixepoch strftime timediff current_date current_time current_timestamp",
    // Mathematics
    "acos acosh asin asinh atan atan2 atanh ceil ceiling cos cosh degrees exp floor ln log log10 log2 mod pi pow power",
    "radians sin sinh sqrt tan tanh trunc",
    // JSON
    "-> ->> json json_array json_array_insert json_array_length json_error_position json_extract json_group_array",
    "json_group_object json_insert json_object json_patch json_pretty json_quote json_remove json_replace json_set json_type",
    "json_valid jsonb jsonb_array jsonb_array_insert jsonb_extract jsonb_group_array jsonb_group_object jsonb_insert",
    "jsonb_object jsonb_patch jsonb_remove jsonb_replace jsonb_set",
    // Full-text search and shapes
    "bm25 highlight snippet matchinfo offsets geopoly_area geopoly_bbox geopoly_blob geopoly_ccw geopoly_contains_point",
    "geopoly_json geopoly_overlap geopoly_regular geopoly_svg geopoly_within geopoly_xform",
  ]
    .join(" ")
    .split(" "),
);

/** Table functions that only compute from their arguments. */
export const tableFunctionsThatRead: ReadonlySet<string> = new Set([
  "json_each",
  "json_tree",
  "jsonb_each",
  "jsonb_tree",
]);

/** The function that a connection adds for digests. Callers' statements may not call it. */
export const digestFunction = "bridle_digest";
