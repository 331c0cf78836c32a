/** What the dialects write before parentheses: functions, and types with a length, in the form of the vendors' references. */
export const documentedFunctions: Readonly<
  Record<"clickhouse" | "sqlserver" | "snowflake" | "bigquery", Readonly<Record<string, string>>>
> = {
  // clickhouse.com/docs/sql-reference/functions
  clickhouse: {
    ...{
      ABS: "abs(x)",
      CAST: "CAST(x AS t)",
      CEIL: "ceil(x[, N])",
      COALESCE: "coalesce(x, …)",
      coalesce: "coalesce(x, …)",
    },
    ...{
      COUNT: "count([DISTINCT] [expr])",
      FLOOR: "floor(x[, N])",
      NULLIF: "nullIf(x, y)",
      TRIM: "trim(input_string)",
    },
    ...{ RANK: "rank() OVER (…)", ROW_NUMBER: "row_number() OVER (…)" },
    ...{ sumOrNull: "sumOrNull(x)", minOrNull: "minOrNull(x)", maxOrNull: "maxOrNull(x)", toNullable: "toNullable(x)" },
    ...{
      addSeconds: "addSeconds(datetime, num)",
      addHours: "addHours(datetime, num)",
      addDays: "addDays(datetime, num)",
    },
    ...{
      addWeeks: "addWeeks(datetime, num)",
      addMonths: "addMonths(datetime, num)",
      addYears: "addYears(datetime, num)",
    },
    ...{ addQuarters: "addQuarters(datetime, num)", subtractDays: "subtractDays(datetime, num)" },
    ...{ subtractSeconds: "subtractSeconds(datetime, num)", makeDate32: "makeDate32(year, month, day)" },
    ...{
      toDate32: "toDate32(expr)",
      toDateTime64: "toDateTime64(expr, scale[, timezone])",
      toYear: "toYear(datetime)",
    },
    ...{ toQuarter: "toQuarter(datetime)", toMonth: "toMonth(datetime)", toDayOfMonth: "toDayOfMonth(datetime)" },
    ...{ toDayOfWeek: "toDayOfWeek(datetime[, mode])", toHour: "toHour(datetime)", toMinute: "toMinute(datetime)" },
    ...{ toDayOfYear: "toDayOfYear(datetime)" },
    ...{
      toSecond: "toSecond(datetime)",
      toTimeZone: "toTimeZone(date, timezone)",
      timeZoneOffset: "timeZoneOffset(datetime)",
    },
    ...{ toInt256: "toInt128(expr)", toDecimal128: "toDecimal128(expr, S)", concat: "concat(s1, s2, …)" },
    ...{ lengthUTF8: "lengthUTF8(s)", lowerUTF8: "lowerUTF8(input)", upperUTF8: "upperUTF8(input)" },
    ...{
      position: "position(haystack, needle[, start_pos])",
      replaceAll: "replaceAll(haystack, pattern, replacement)",
    },
    ...{ DateTime64: "DateTime64(precision[, timezone])", Nullable: "Nullable(T)" },
  },
  // learn.microsoft.com/sql/t-sql/functions
  sqlserver: {
    ...{ ABS: "ABS(numeric)", CAST: "CAST(expression AS type)", CEILING: "CEILING(numeric)", FLOOR: "FLOOR(numeric)" },
    ...{ CHARINDEX: "CHARINDEX(find, search[, start])", COALESCE: "COALESCE(expression, …)", NULLIF: "NULLIF(a, b)" },
    ...{ COUNT: "COUNT({[ALL | DISTINCT] expression | *})", COUNT_BIG: "COUNT_BIG({[ALL | DISTINCT] expression | *})" },
    ...{ MAX: "MAX(expression)", MIN: "MIN(expression)", SUM: "SUM(expression)" },
    ...{ RANK: "RANK() OVER (…)", ROW_NUMBER: "ROW_NUMBER() OVER (…)" },
    ...{ DATEADD: "DATEADD(datepart, number, date)", DATEDIFF: "DATEDIFF(datepart, start, end)" },
    ...{ DATEFROMPARTS: "DATEFROMPARTS(year, month, day)", DATEPART: "DATEPART(datepart, date)" },
    ...{ YEAR: "YEAR(date)", MONTH: "MONTH(date)", LEN: "LEN(string)", LOWER: "LOWER(string)", UPPER: "UPPER(string)" },
    ...{ NCHAR: "NCHAR(integer)", REPLACE: "REPLACE(string, pattern, replacement)", TRIM: "TRIM(string)" },
    ...{ DATETIME2: "datetime2(precision)", NVARCHAR: "nvarchar(n | max)" },
  },
  // docs.snowflake.com/sql-reference/functions
  snowflake: {
    ...{
      ABS: "ABS(x)",
      CAST: "CAST(x AS type)",
      CEIL: "CEIL(x[, scale])",
      FLOOR: "FLOOR(x[, scale])",
      MOD: "MOD(x, y)",
    },
    ...{ COALESCE: "COALESCE(x, …)", NULLIF: "NULLIF(a, b)", COLLATE: "COLLATE(string, 'specification')" },
    ...{
      CONCAT: "CONCAT(x, …)",
      LENGTH: "LENGTH(x)",
      LOWER: "LOWER(x)",
      UPPER: "UPPER(x)",
      TRIM: "TRIM(x[, characters])",
    },
    ...{ POSITION: "POSITION(find, search[, start])", REPLACE: "REPLACE(subject, pattern[, replacement])" },
    ...{ CONVERT_TIMEZONE: "CONVERT_TIMEZONE([source,] target, timestamp)", DATEADD: "DATEADD(part, value, date)" },
    ...{ DATE_PART: "DATE_PART(part, date)", DATE_TRUNC: "DATE_TRUNC(part, date)", DAYOFWEEKISO: "DAYOFWEEKISO(date)" },
    ...{ TO_DATE: "TO_DATE(string[, format])", TO_TIMESTAMP_NTZ: "TO_TIMESTAMP_NTZ(string[, format])" },
    ...{ COUNT: "COUNT([DISTINCT] x | *)", MAX: "MAX(x)", MIN: "MIN(x)", SUM: "SUM(x)", MEDIAN: "MEDIAN(x)" },
    ...{ RANK: "RANK() OVER (…)", ROW_NUMBER: "ROW_NUMBER() OVER (…)" },
  },
  // cloud.google.com/bigquery/docs/reference/standard-sql
  bigquery: {
    ...{ ABS: "ABS(x)", CAST: "CAST(x AS type)", CEIL: "CEIL(x)", FLOOR: "FLOOR(x)", MOD: "MOD(x, y)" },
    ...{ COALESCE: "COALESCE(x, …)", NULLIF: "NULLIF(x, y)", CONCAT: "CONCAT(x, …)", CHAR_LENGTH: "CHAR_LENGTH(x)" },
    ...{ LOWER: "LOWER(x)", UPPER: "UPPER(x)", TRIM: "TRIM(x[, characters])", STRPOS: "STRPOS(value, part)" },
    ...{
      REPLACE: "REPLACE(value, from, to)",
      EXTRACT: "EXTRACT(part FROM date)",
      DATE_TRUNC: "DATE_TRUNC(date, granularity)",
    },
    ...{ DATETIME: "DATETIME(timestamp[, zone])", TIMESTAMP: "TIMESTAMP(datetime[, zone])", WEEK: "WEEK(weekday)" },
    ...{ DATE_ADD: "DATE_ADD(date, INTERVAL n part)", DATETIME_ADD: "DATETIME_ADD(datetime, INTERVAL n part)" },
    ...{ DATETIME_TRUNC: "DATETIME_TRUNC(datetime, granularity)" },
    ...{ COUNT: "COUNT([DISTINCT] x | *)", MAX: "MAX(x)", MIN: "MIN(x)", SUM: "SUM(x)" },
    ...{ RANK: "RANK() OVER (…)", ROW_NUMBER: "ROW_NUMBER() OVER (…)" },
  },
};
