/** The words of Snowflake. */
import { wordSet } from "../../select/select-grammar.ts";

/** Words that begin a clause, an operator or a statement. They are names only if they are quoted. */
export const snowflakeReserved = wordSet(`
  all alter and any as asof begin between by call case cast check connect constraint copy create cross cube declare delete
  describe distinct drop else end escape except execute exists explain fetch for from full grant group grouping having ilike in
  increment inner insert intersect into is issue join lateral left like limit list match_condition match_recognize merge minus
  natural not null of offset on or order pivot put qualify regexp remove revoke right rlike rollup row rows sample select set
  show some table tablesample then to trigger truncate try_cast union unique unpivot unset update use using values when whenever
  where with
`);

/**
 * Functions that compute from their arguments, the clock or the session. Not listed: functions that wait, read files, call models or other
 * services, or return the catalog, the results of other statements or the text of the running statement.
 */
export const snowflakeFunctions = wordSet(`
  any_value approx_count_distinct approx_percentile approx_percentile_accumulate approx_percentile_combine
  approx_percentile_estimate approx_top_k approx_top_k_accumulate approx_top_k_combine approx_top_k_estimate array_agg
  array_union_agg array_unique_agg avg bitand_agg bitmap_bit_position bitmap_bucket_number bitmap_construct_agg bitmap_count
  bitmap_or_agg bitor_agg bitxor_agg booland_agg boolor_agg boolxor_agg corr count count_if covar_pop covar_samp cume_dist
  dense_rank first_value grouping grouping_id hash_agg hll hll_accumulate hll_combine hll_estimate hll_export hll_import kurtosis
  lag last_value lead listagg max max_by median min min_by minhash minhash_combine mode nth_value ntile object_agg percent_rank
  percentile_cont percentile_disc rank ratio_to_report regr_avgx regr_avgy regr_count regr_intercept regr_r2 regr_slope regr_sxx
  regr_sxy regr_syy row_number skew stddev stddev_pop stddev_samp sum var_pop var_samp variance variance_pop variance_samp
  conditional_change_event conditional_true_event cube rollup
  abs acos acosh asin asinh atan atan2 atanh bitand bitnot bitor bitshiftleft bitshiftright bitxor cbrt ceil cos cosh cot degrees
  div0 div0null exp factorial floor getbit haversine ln log mod pi pow power radians random round sign sin sinh sqrt square tan
  tanh trunc truncate uniform normal zipf width_bucket zeroifnull nullifzero seq1 seq2 seq4 seq8 randstr uuid_string
  booland boolnot boolor boolxor coalesce decode equal_null greatest greatest_ignore_nulls iff ifnull is_null_value least
  least_ignore_nulls nullif nvl nvl2 regr_valx regr_valy
  cast try_cast to_array to_binary to_boolean to_char to_date to_decfloat to_decimal to_double to_geography to_geometry to_json
  to_number to_numeric to_object to_time to_timestamp to_timestamp_ltz to_timestamp_ntz to_timestamp_tz to_varchar to_variant to_xml
  try_to_binary try_to_boolean try_to_date try_to_decfloat try_to_decimal try_to_double try_to_geography try_to_geometry
  try_to_number try_to_numeric try_to_time try_to_timestamp try_to_timestamp_ltz try_to_timestamp_ntz try_to_timestamp_tz char
  date time timestamp timestamp_ltz timestamp_ntz timestamp_tz
  add_months convert_timezone current_date current_time current_timestamp date_from_parts date_part date_trunc dateadd
  datediff datefromparts day dayname dayofmonth dayofweek dayofweekiso dayofyear extract getdate hour last_day localtime
  localtimestamp minute month monthname months_between next_day previous_day quarter second sysdate sysdatetime time_from_parts
  time_slice timeadd timediff timefromparts timestamp_from_parts timestamp_ltz_from_parts timestamp_ntz_from_parts
  timestamp_tz_from_parts timestampadd timestampdiff timestampfromparts week weekiso weekofyear year yearofweek yearofweekiso
  ascii base64_decode_binary base64_decode_string base64_encode bit_length charindex chr collate collation concat concat_ws contains
  editdistance endswith hex_decode_binary hex_decode_string hex_encode initcap insert jarowinkler_similarity lcase left len length
  like like_all like_any ilike ilike_any lower lpad ltrim octet_length parse_ip parse_url position regexp_count regexp_instr
  regexp_like regexp_replace regexp_substr regexp_substr_all repeat replace reverse right rlike rpad rtrim rtrimmed_length soundex
  soundex_p123 space split split_part startswith strtok strtok_to_array substr substring translate trim try_base64_decode_binary
  try_base64_decode_string try_hex_decode_binary try_hex_decode_string ucase unicode upper compress decompress_binary
  decompress_string hash md5 md5_binary md5_hex md5_number_lower64 md5_number_upper64 sha1 sha1_binary sha1_hex sha2 sha2_binary
  sha2_hex crc32
  array_append array_cat array_compact array_construct array_construct_compact array_contains array_distinct array_except array_flatten
  array_generate_range array_insert array_intersection array_max array_min array_position array_prepend array_remove array_remove_at
  array_reverse array_size array_slice array_sort array_sum array_to_string arrays_overlap arrays_to_object arrays_zip as_array
  as_binary as_boolean as_char as_date as_decimal as_double as_integer as_number as_object as_real as_time as_timestamp_ltz
  as_timestamp_ntz as_timestamp_tz as_varchar check_json check_xml filter get get_ignore_case get_path is_array is_binary
  is_boolean is_char is_date is_date_value is_decimal is_double is_integer is_null_value is_object is_real is_time is_timestamp_ltz
  is_timestamp_ntz is_timestamp_tz is_varchar json_extract_path_text map_cat map_contains_key map_delete map_insert map_keys
  map_pick map_size object_construct object_construct_keep_null object_delete object_insert object_keys object_pick parse_json
  parse_xml reduce strip_null_value transform try_parse_json typeof xmlget
  st_area st_asewkb st_asewkt st_asgeojson st_astext st_aswkb st_aswkt st_azimuth st_buffer st_centroid st_collect st_contains
  st_coveredby st_covers st_difference st_dimension st_disjoint st_distance st_dwithin st_endpoint st_envelope st_geogfromgeohash
  st_geogfromtext st_geogfromwkb st_geogfromwkt st_geographyfromtext st_geographyfromwkb st_geographyfromwkt st_geohash
  st_geomfromtext st_geomfromwkt st_geometryfromtext st_geometryfromwkt st_hausdorffdistance st_intersection st_intersects
  st_isvalid st_length st_makegeompoint st_makeline st_makepoint st_makepolygon st_npoints st_numpoints st_perimeter st_point
  st_pointn st_polygon st_simplify st_srid st_startpoint st_symdifference st_union st_union_agg st_within st_x st_xmax st_xmin
  st_y st_ymax st_ymin h3_cell_to_boundary h3_cell_to_parent h3_cell_to_point h3_grid_distance h3_latlng_to_cell
  h3_latlng_to_cell_string h3_point_to_cell h3_point_to_cell_string
  vector_cosine_similarity vector_inner_product vector_l1_distance vector_l2_distance
  current_account current_client current_database current_region current_role current_schema current_session current_user
  current_version current_warehouse
`);

/** Functions that compute from their arguments, and may occur in `TABLE(…)` and after `LATERAL`. */
export const snowflakeTableFunctions = wordSet("flatten generator split_to_table strtok_split_to_table");

/** Constants, and functions that may be called without parentheses. */
export const snowflakeConstants = wordSet(`
  null true false current_date current_time current_timestamp current_user localtime localtimestamp
`);

export const snowflakeUnits = wordSet(`
  nanosecond nanoseconds microsecond microseconds millisecond milliseconds second seconds minute minutes hour hours day days week
  weeks month months quarter quarters year years
`);

export const snowflakeTypes = wordSet(`
  number string text boolean timestamp timestamp_ltz timestamp_ntz timestamp_tz timestampltz timestampntz timestamptz variant
  object array map geography geometry vector byteint float4 float8 decfloat uuid
`);

/** Why a word or symbol is refused where it cannot be part of a SELECT that only reads. */
export const snowflakeEffects: ReadonlyMap<string, string> = new Map([
  ["into", "INTO stores the result."],
  ["for", "FOR UPDATE locks rows."],
  ["call", "CALL runs a procedure."],
]);
