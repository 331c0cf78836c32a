/** The words of T-SQL. */
import { wordSet } from "../../select/select-grammar.ts";

/**
 * All reserved words of T-SQL. T-SQL needs no separator between two statements, so a word that may begin a statement must not be read as an
 * alias.
 */
export const sqlserverReserved = wordSet(`
  add all alter and any as asc authorization backup begin between break browse bulk by cascade case check checkpoint close
  clustered coalesce collate column commit compute constraint contains containstable continue convert create cross current
  current_date current_time current_timestamp current_user cursor database dbcc deallocate declare default delete deny desc
  disk distinct distributed double drop dump else end errlvl escape except exec execute exists exit external fetch file
  fillfactor for foreign freetext freetexttable from full function goto grant group having holdlock identity identity_insert
  identitycol if in index inner insert intersect into is join key kill left like lineno load merge national nocheck
  nonclustered not null nullif of off offset offsets on open opendatasource openquery openrowset openxml option or order outer
  over percent pivot plan precision primary print proc procedure public raiserror read readtext reconfigure references
  replication restore restrict return revert revoke right rollback rowcount rowguidcol rule save schema securityaudit select
  semantickeyphrasetable semanticsimilaritydetailstable semanticsimilaritytable session_user set setuser shutdown some
  statistics system_user table tablesample textsize then to top tran transaction trigger truncate try_convert tsequal union
  unique unpivot update updatetext use user values varying view waitfor when where while with within writetext throw send
  receive enable disable apply window
`);

/** Built-in functions without effects. Not listed: functions that wait, read other servers, advance a sequence or show statements. */
export const sqlserverFunctions = wordSet(`
  abs acos ascii asin atan atn2 avg cast ceiling char charindex checksum checksum_agg choose coalesce compress concat
  concat_ws convert cos cot count count_big cube cume_dist current_timestamp datalength date_bucket dateadd datediff
  datediff_big datefromparts datename datepart datetime2fromparts datetimefromparts datetimeoffsetfromparts datetrunc day
  db_name decompress degrees dense_rank difference eomonth exp first_value floor format getdate getutcdate greatest grouping
  grouping_id hashbytes iif isdate isjson isnull isnumeric json_array json_arrayagg json_modify json_object json_objectagg
  json_path_exists json_query json_value lag last_value lead least left len log log10 lower ltrim max min month nchar newid
  ntile nullif parse parsename patindex percent_rank percentile_cont percentile_disc pi power quotename radians rand rank
  replace replicate reverse right rollup round row_number rtrim schema_name sign sin smalldatetimefromparts soundex space
  sqrt square stdev stdevp str string_agg string_escape stuff substring sum suser_name sysdatetime sysdatetimeoffset
  sysutcdatetime tan timefromparts todatetimeoffset translate trim try_cast try_convert try_parse unicode upper user_name
  var varp year
`);

export const sqlserverEffects: ReadonlyMap<string, string> = new Map([
  ["into", "SELECT INTO creates a table."],
  ["for", "FOR changes the form of the result, or advances a sequence."],
  ["openrowset", "OPENROWSET reads files and other servers."],
  ["openquery", "OPENQUERY sends statements to other servers."],
  ["opendatasource", "OPENDATASOURCE reads other servers."],
  ["openxml", "OPENXML reads a document of the session."],
  ["exec", "EXEC runs a procedure or a text."],
  ["execute", "EXECUTE runs a procedure or a text."],
  ["waitfor", "WAITFOR waits."],
  ["option", "These options of a query are not known to be harmless."],
]);
