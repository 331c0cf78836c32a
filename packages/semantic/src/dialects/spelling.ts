/** Parts of SQL that several engines spell alike. */

export function doubleQuoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

export function singleQuoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** LIKE without an escape character of the engine. Backslashes are refused before. */
export function plainLike(sql: string, pattern: string): string {
  return `${sql} LIKE ${singleQuoted(pattern)}`;
}

export function notDistinct(left: string, right: string): string {
  return `${left} IS NOT DISTINCT FROM ${right}`;
}

export function infixConcat(args: readonly string[]): string {
  return `(${args.join(" || ")})`;
}

/** `EXTRACT(YEAR FROM x)` as an integer. */
export function extractInteger(field: string): (args: readonly string[]) => string {
  return ([operand]) => `CAST(EXTRACT(${field} FROM ${operand}) AS BIGINT)`;
}

export const extractedFields = {
  year: extractInteger("YEAR"),
  quarter: extractInteger("QUARTER"),
  month: extractInteger("MONTH"),
  day: extractInteger("DAY"),
  hour: extractInteger("HOUR"),
  day_of_week: extractInteger("ISODOW"),
  day_of_year: extractInteger("DOY"),
};

/** Quoted, with a backslash before what ends the quotation and before backslashes. Line ends are escaped too. */
export function backslashed(text: string, quote: string): string {
  const escaped = text.replaceAll("\\", "\\\\").replaceAll(quote, `\\${quote}`);
  return `${quote}${escaped.replaceAll("\n", "\\n").replaceAll("\r", "\\r")}${quote}`;
}

/** The call of a function that adds to a date. */
export function shiftBy(name: string, ...args: readonly (string | number)[]): string {
  return `${name}(${args.join(", ")})`;
}
