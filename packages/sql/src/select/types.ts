import { readName } from "./names.ts";
import { wordSet } from "./select-grammar.ts";
import type { SqlReading } from "./sql-reading.ts";

const typeSuffixes = wordSet("integer int precision varying unsigned array");
const typeWords = wordSet(`
  signed unsigned char nchar varchar nvarchar binary varbinary date datetime datetime2 datetimeoffset smalldatetime time
  character decimal dec numeric double float real integer int bigint smallint tinyint bit money smallmoney uniqueidentifier xml json
`);

export function atType({ cursor, grammar }: SqlReading): boolean {
  const { kind, value } = cursor.peek();
  return kind === "word" && (typeWords.has(value) || grammar.typeNames?.has(value) === true);
}

/** Reads a type, such as `decimal(10, 2)`, `unsigned integer` or `char(20) character set utf8mb4`. */
export function readType(reading: SqlReading): void {
  const { cursor, grammar } = reading;
  if (!atType(reading)) cursor.fail("a type");
  cursor.next();
  while (cursor.acceptAny(typeSuffixes)) {
    // For example PRECISION.
  }
  if (cursor.accept("(")) {
    readLengths(reading);
    cursor.expect(")");
  }
  if (grammar.typeNames !== undefined && cursor.accept("<")) readElementTypes(reading);
  while (cursor.acceptAny(typeSuffixes)) {
    // For example UNSIGNED.
  }
  if (cursor.accept("character", "set") || cursor.accept("charset")) readName(reading);
}

/** Reads the part after `<` in types such as `ARRAY<INT64>` or `STRUCT<a INT64, b STRING>`. */
function readElementTypes(reading: SqlReading): void {
  do {
    if (!atType(reading)) readName(reading);
    readType(reading);
  } while (reading.cursor.accept(","));
  reading.cursor.expect(">");
}

function readLengths(reading: SqlReading): void {
  const { cursor } = reading;
  do
    if (cursor.peek().kind === "number" || cursor.peek().kind === "text" || cursor.at("max")) cursor.next();
    else if (atType(reading)) readType(reading);
    else cursor.fail("a length");
  while (cursor.accept(","));
}
