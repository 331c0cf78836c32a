/** The words of MySQL and MariaDB. */
import { wordSet } from "../../select/select-grammar.ts";

/** Words that MySQL or MariaDB reserves and that may begin a clause or an operator, and words that begin statements. */
export const mysqlReserved = wordSet(`
  accessible add all alter analyze and any as asc before between binary both by call cascade case change check collate column
  condition constraint continue convert create cross cube current_date current_time current_timestamp current_user cursor
  databases declare default delayed delete desc describe distinct distinctrow div do drop dual each else elseif enclosed
  escaped except exists exit explain false fetch for force foreign from fulltext grant group grouping groups handler having
  high_priority if ignore in index infile inner inout insert intersect interval into is iterate join key keys kill lateral
  leading leave left like limit linear lines load localtime localtimestamp lock loop low_priority match minus mod modifies
  natural not null of offset on optimize option optionally or order out outer outfile over partition prepare procedure purge
  range read recursive references regexp release rename repeat replace require resignal restrict return returning revoke right
  rlike row rows schemas select separator set show signal some sounds sql sql_big_result sql_calc_found_rows sql_small_result
  starting straight_join table terminated then to trailing trigger true truncate undo union unique unlock unsigned update usage
  use using utc_date utc_time utc_timestamp values when where while window with within write xor zerofill execute immediate
  against member system escape rownum
`);

export const mysqlUnits = wordSet(`
  microsecond second minute hour day week month quarter year second_microsecond minute_microsecond minute_second
  hour_microsecond hour_second hour_minute day_microsecond day_second day_minute day_hour year_month
`);

/**
 * Built-in functions that only read their arguments, the clock or the session. MySQL and MariaDB prefer a built-in function to a stored
 * function of the same name. Not listed: functions that wait, lock, read files, advance a sequence, set a variable, or return the text of
 * statements.
 */
export const mysqlFunctions = wordSet(`
  abs acos adddate addtime add_months aes_decrypt aes_encrypt any_value approx_count_distinct ascii asin atan atan2 avg
  bin bin_to_uuid binary bit_and bit_count bit_length bit_or bit_xor cast ceil ceiling char char_length character_length
  charset chr coalesce coercibility collation column_get compress concat concat_ws conv convert convert_tz cos cot count
  crc32 crc32c cume_dist curdate current_date current_time current_timestamp current_user curtime database date date_add
  date_format date_sub datediff day dayname dayofmonth dayofweek dayofyear decode_oracle degrees dense_rank elt exp
  export_set extract field find_in_set first_value floor format format_bytes format_pico_time from_base64 from_days
  from_unixtime get_format greatest group_concat grouping hex hour if ifnull inet6_aton inet6_ntoa inet_aton inet_ntoa
  insert instr interval is_ipv4 is_ipv4_compat is_ipv4_mapped is_ipv6 is_uuid isnull
  json_array json_array_append json_array_insert json_arrayagg json_compact json_contains json_contains_path json_depth
  json_detailed json_equals json_exists json_extract json_insert json_keys json_length json_loose json_merge
  json_merge_patch json_merge_preserve json_normalize json_object json_objectagg json_overlaps json_pretty json_query
  json_quote json_remove json_replace json_schema_valid json_search json_set json_storage_size json_type json_unquote
  json_valid json_value
  lag last_day last_value lcase lead least left length lengthb ln localtime localtimestamp locate log log10 log2 lower
  lpad ltrim make_set makedate maketime max md5 median microsecond mid min minute mod month monthname natural_sort_key
  now nth_value ntile nullif nvl nvl2 oct octet_length ord percent_rank percentile_cont percentile_disc period_add
  period_diff pi position pow power quarter quote radians rand random_bytes rank regexp_instr regexp_like
  regexp_replace regexp_substr repeat replace reverse right round row row_number rpad rtrim schema sec_to_time second
  sformat sha sha1 sha2 sign sin soundex space sqrt std stddev stddev_pop stddev_samp str_to_date strcmp subdate substr
  substring substring_index subtime sum sys_guid sysdate tan time time_format time_to_sec timediff timestamp
  timestampadd timestampdiff to_base64 to_char to_days to_seconds trim truncate ucase uncompress uncompressed_length
  unhex unix_timestamp upper utc_date utc_time utc_timestamp uuid uuid_to_bin var_pop var_samp variance version week
  weekday weekofyear weight_string year yearweek match
  st_area st_asbinary st_asgeojson st_astext st_aswkb st_aswkt st_buffer st_centroid st_contains st_convexhull st_crosses
  st_difference st_dimension st_disjoint st_distance st_distance_sphere st_endpoint st_envelope st_equals
  st_exteriorring st_geohash st_geometryn st_geometrytype st_geomfromgeojson st_geomfromtext st_geomfromwkb
  st_interiorringn st_intersection st_intersects st_isclosed st_isempty st_issimple st_isvalid st_latfromgeohash
  st_latitude st_length st_longfromgeohash st_longitude st_numgeometries st_numinteriorrings st_numpoints st_overlaps
  st_pointfromtext st_pointn st_simplify st_srid st_startpoint st_symdifference st_touches st_transform st_union
  st_within st_x st_y point linestring polygon multipoint multilinestring multipolygon geometrycollection mbrcontains
  mbrcoveredby mbrcovers mbrdisjoint mbrequals mbrintersects mbroverlaps mbrtouches mbrwithin
`);

/** Why a word or symbol is refused where it cannot be part of a SELECT that only reads. */
export const mysqlEffects: ReadonlyMap<string, string> = new Map([
  ["into", "INTO writes to a file or a variable."],
  ["outfile", "INTO OUTFILE writes a file."],
  ["for", "FOR locks rows, reads old versions, or advances a sequence."],
  ["lock", "LOCK IN SHARE MODE locks rows."],
  ["procedure", "PROCEDURE runs a procedure."],
  [":=", "The operator := sets a variable."],
  ["sql_calc_found_rows", "SQL_CALC_FOUND_ROWS changes the session."],
  ["high_priority", "HIGH_PRIORITY goes before the statements of others."],
]);
