/** The words of GoogleSQL. */
import { wordSet } from "../../select/select-grammar.ts";

/** Words that begin a clause, an operator or a statement. They are names only if they are quoted. */
export const bigqueryReserved = wordSet(`
  all alter and any array as asc assert at begin between by call case cast collate contains create cross cube declare default
  define delete desc distinct drop else end enum escape except exclude execute exists explain export extract false fetch for
  from full grant group grouping groups hash having if ignore in inner insert intersect interval into is join lateral left like
  limit load lookup match_recognize merge natural new no not null nulls of offset on or order outer over partition pivot
  preceding proto qualify range recursive respect return revoke right rollup rows select set some struct system tablesample then
  to treat true truncate unbounded union unnest unpivot update using values when where window with within
`);

/**
 * Functions that compute from their arguments, the clock or the account. A function name without a dataset is one of BigQuery's own. Not
 * listed: functions that raise errors on purpose, decrypt, call models or other services, or read tables by name.
 */
export const bigqueryFunctions = wordSet(`
  abs acos acosh any_value approx_count_distinct approx_quantiles approx_top_count approx_top_sum array array_agg array_concat
  array_concat_agg array_first array_includes array_includes_all array_includes_any array_is_distinct array_last array_length
  array_max array_min array_reverse array_slice array_sum array_avg array_to_string array_filter array_transform ascii asin asinh
  atan atan2 atanh avg bit_and bit_count bit_or bit_xor bool byte_length cast cbrt ceil ceiling char_length character_length chr
  coalesce code_points_to_bytes code_points_to_string collate concat contains_substr corr cos cosh cosine_distance cot coth count
  countif covar_pop covar_samp csc csch cume_dist current_date current_datetime current_time current_timestamp date date_add
  date_bucket date_diff date_from_unix_date date_sub date_trunc datetime datetime_add datetime_bucket datetime_diff datetime_sub
  datetime_trunc dense_rank div edit_distance ends_with euclidean_distance exp extract farm_fingerprint first_value float64 floor
  format format_date format_datetime format_time format_timestamp from_base32 from_base64 from_hex generate_array
  generate_date_array generate_timestamp_array generate_uuid generate_range_array greatest grouping host hll_count_extract if
  ieee_divide ifnull initcap instr int64 int64_array ip_from_string ip_net_mask ip_to_string ip_trunc is_inf is_nan
  json_array json_array_append json_array_insert json_extract json_extract_array json_extract_scalar json_extract_string_array
  json_keys json_object json_query json_query_array json_remove json_set json_strip_nulls json_type json_value json_value_array
  justify_days justify_hours justify_interval lag last_day last_value lax_bool lax_float64 lax_int64 lax_string lead least left
  length ln log log10 logical_and logical_or lower lpad ltrim make_interval max max_by md5 min min_by mod net_host normalize
  normalize_and_casefold nth_value ntile nullif nullifzero octet_length offset ordinal parse_bignumeric parse_date parse_datetime
  parse_json parse_numeric parse_time parse_timestamp percent_rank percentile_cont percentile_disc pow power public_suffix rand
  range range_bucket range_contains range_end range_intersect range_overlaps range_start rank reg_domain regexp_contains
  regexp_extract regexp_extract_all regexp_instr regexp_replace regexp_substr repeat replace reverse right round row_number rpad
  rtrim s2_cellidfrompoint safe_add safe_cast safe_convert_bytes_to_string safe_divide safe_ip_from_string safe_multiply
  safe_negate safe_offset safe_ordinal safe_subtract sec sech session_user sha1 sha256 sha512 sign sin sinh soundex split sqrt
  st_area st_asgeojson st_astext st_boundary st_buffer st_centroid st_clusterdbscan st_contains st_convexhull st_coveredby
  st_covers st_difference st_dimension st_disjoint st_distance st_dwithin st_endpoint st_equals st_geogfromgeojson
  st_geogfromtext st_geogpoint st_geohash st_geometrytype st_intersection st_intersects st_isclosed st_isempty st_length
  st_makeline st_numpoints st_perimeter st_pointn st_simplify st_snaptogrid st_startpoint st_touches st_union st_union_agg st_within
  st_x st_y starts_with stddev stddev_pop stddev_samp string string_agg strpos struct substr substring sum tan tanh time time_add
  time_diff time_sub time_trunc timestamp timestamp_add timestamp_bucket timestamp_diff timestamp_micros timestamp_millis
  timestamp_seconds timestamp_sub timestamp_trunc to_base32 to_base64 to_code_points to_hex to_json to_json_string translate trim
  trunc typeof unicode unix_date unix_micros unix_millis unix_seconds unnest upper var_pop var_samp variance week zeroifnull
  rollup cube
`);

/** Functions that may follow `NET.`. */
export const netFunctions = wordSet(
  "host reg_domain public_suffix ip_from_string safe_ip_from_string ip_to_string ip_net_mask ip_trunc",
);

export const bigqueryUnits = wordSet(`
  microsecond millisecond second minute hour day week isoweek month quarter year isoyear
`);

export const bigqueryTypes = wordSet(`
  int64 int integer bigint smallint tinyint byteint numeric decimal bignumeric bigdecimal float64 bool boolean string bytes date
  datetime time timestamp json geography interval array struct range
`);

/** Why a word or symbol is refused where it cannot be part of a SELECT that only reads. */
export const bigqueryEffects: ReadonlyMap<string, string> = new Map([
  ["into", "INTO writes."],
  ["for", "FOR SYSTEM_TIME AS OF reads rows of the past."],
  ["pivot", "PIVOT cannot be used here. Use conditions in aggregates."],
  ["unpivot", "UNPIVOT cannot be used here. Use UNION ALL."],
  ["match_recognize", "MATCH_RECOGNIZE cannot be used here."],
]);
