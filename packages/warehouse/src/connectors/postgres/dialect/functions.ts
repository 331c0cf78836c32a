/**
 * The functions and operators that a statement may use. A connection reads the list from its catalog as `StatementContext.safeFunctions`.
 * The entries are names as the catalog has them: `lower`, `pg_catalog.lower`, `operator ||`. The list also contains names that are refused,
 * as `refused cast NAME` and `refused field NAME`.
 */

/**
 * The functions that may be called if there is no catalog. Every supported version has them, and they compute only from their arguments or
 * the clock.
 */
const commonFunctions =
  "abs age array_agg array_append array_cat array_length array_position array_prepend array_remove array_replace " +
  "array_to_json array_to_string array_upper array_lower arrays ascii avg bit_and bit_length bit_or bool_and bool_or " +
  "btrim cardinality cbrt ceil ceiling char_length character_length chr coalesce concat concat_ws convert_from " +
  "convert_to corr count covar_pop covar_samp cume_dist date date_part date_trunc decode degrees dense_rank div " +
  "encode every exp extract first_value floor format gcd generate_series greatest initcap isfinite json_agg " +
  "json_array_elements json_array_elements_text json_array_length json_build_array json_build_object json_each " +
  "json_each_text json_extract_path json_extract_path_text json_object_agg json_object_keys json_typeof jsonb_agg " +
  "jsonb_array_elements jsonb_array_elements_text jsonb_array_length jsonb_build_array jsonb_build_object jsonb_each " +
  "jsonb_each_text jsonb_extract_path jsonb_extract_path_text jsonb_object_agg jsonb_object_keys jsonb_path_exists " +
  "jsonb_path_query jsonb_typeof justify_days justify_hours justify_interval lag last_value lcm lead least left " +
  "length like_escape ln localtimestamp log log10 lower lpad ltrim make_date make_interval make_time make_timestamp " +
  "max md5 min mod mode now nth_value ntile nullif num_nonnulls num_nulls octet_length overlaps overlay percent_rank " +
  "percentile_cont percentile_disc pi position power radians rank regexp_match regexp_matches regexp_replace " +
  "regexp_split_to_array regexp_split_to_table regr_count regr_intercept regr_r2 regr_slope repeat replace reverse " +
  "right round row_number row_to_json rpad rtrim sha224 sha256 sha384 sha512 sign similar_to_escape split_part sqrt " +
  "starts_with statement_timestamp stddev stddev_pop stddev_samp string_agg string_to_array strpos substr substring " +
  "sum timezone to_char to_date to_json to_jsonb to_number to_timestamp translate trim trunc unnest upper var_pop " +
  "var_samp variance width_bucket xmlagg";

const commonSafeFunctions: ReadonlySet<string> = new Set(
  commonFunctions.split(" ").flatMap((name) => [name, `pg_catalog.${name}`]),
);

/** Whether a function may be called. `parts` is the function's name, split at its dots. */
export function isSafeFunction(parts: readonly string[], safe: ReadonlySet<string> = commonSafeFunctions): boolean {
  return parts.length <= 2 && safe.has(parts.join("."));
}

/** Whether an operator may be used. Without a catalog, every operator may be used. */
export function isSafeOperator(name: string, safe: ReadonlySet<string> | undefined): boolean {
  return safe === undefined || /^[A-Z ]+$/.test(name) || safe.has(`operator ${name}`); // words, such as BETWEEN
}

/** PostgreSQL's own functions that are declared volatile but have no effect. */
export const harmlessVolatile: ReadonlySet<string> = new Set([
  "random",
  "clock_timestamp",
  "timeofday",
  "gen_random_uuid",
  "uuidv4",
  "uuidv7",
  "random_normal",
  "system",
  "bernoulli",
  "uuid_generate_v1",
  "uuid_generate_v4",
]);

/**
 * Functions that are refused although the catalog declares that they only read: they run SQL from a string, read files or settings, access
 * tables outside of the scope, or reveal other sessions and the text of statements.
 */
const readsElsewhere = [
  /^pg_(?!typeof$|size_pretty$|size_bytes$|column_size$|collation_for$|client_encoding$|lsn$|input_)/,
  /^(lo_|loread$|lowrite$|txid_|binary_upgrade_|currtid|dblink|crosstab|connectby|xpath_table|xslt_process)/,
  /^(has_\w+_privilege|to_reg\w+|inet_(client|server)_\w+|row_security_active|(obj|col|shobj)_description)$/,
  /^(query|table|schema|database|cursor)_to_xml/,
  /^(current_setting|current_query|set_config|setseed|ts_stat|ts_rewrite|getpgusername)$/,
  /^(reg(?!r_)\w+|format_type|oidvectortypes|makeaclitem|acl\w+)$/,
  /^(st_estimatedextent|st_findextent|find_srid|postgis_.*|populate_geometry_columns|updategeometrysrid)$/,
];

export function readsPastItsArguments(name: string): boolean {
  return !/^regexp_/.test(name) && readsElsewhere.some((pattern) => pattern.test(name));
}
