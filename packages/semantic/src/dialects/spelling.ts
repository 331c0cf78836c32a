/** Parts of SQL that several engines spell in the same way. */

type Spelling = (args: readonly string[]) => string;

export function doubleQuoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

export function singleQuoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** Writes LIKE without an escape character. Patterns with backslashes were refused earlier. */
export function plainLike(sql: string, pattern: string): string {
  return `${sql} LIKE ${singleQuoted(pattern)}`;
}

export function notDistinct(left: string, right: string): string {
  return `${left} IS NOT DISTINCT FROM ${right}`;
}

export function infixConcat(args: readonly string[]): string {
  return `(${args.join(" || ")})`;
}

/** Writes `EXTRACT(YEAR FROM x)`, for example, as an integer. */
export function extractInteger(field: string): Spelling {
  return ([operand]) => `CAST(EXTRACT(${field} FROM ${operand}) AS BIGINT)`;
}

export const extractedFields = {
  year: extractInteger("YEAR"),
  quarter: extractInteger("QUARTER"),
  month: extractInteger("MONTH"),
  day: extractInteger("DAY"),
  hour: extractInteger("HOUR"),
  minute: extractInteger("MINUTE"),
  second: ([operand]: readonly string[]) => `CAST(FLOOR(EXTRACT(SECOND FROM ${operand})) AS BIGINT)`,
  day_of_week: extractInteger("ISODOW"),
  day_of_year: extractInteger("DOY"),
  week_of_year: extractInteger("WEEK"),
};

/** Functions that most engines spell in the same way. Each dialect spells the other functions itself. */
export const standardFunctions = {
  floor_decimal: ([operand]) => `FLOOR(${operand})`,
  ceil_decimal: ([operand]) => `CEIL(${operand})`,
  round_decimal: ([operand, digits]) => `ROUND(${operand}, ${digits})`,
  to_decimal: ([operand, digits, scale]) => `CAST(${operand} AS DECIMAL(${digits}, ${scale}))`,
  text_end: ([text, length]) => `RIGHT(${text}, ${length})`,
  whole_quotient: ([operand, divisor]) => `(${operand} / ${divisor})`,
} satisfies Readonly<Record<string, Spelling>>;

/**
 * Writes a conversion to lower case with one character for each letter. Engines that know the language write several characters for a
 * dotted capital I, and have a separate final sigma.
 */
export function simpleLower(text: string, lower: (text: string) => string): string {
  return lower(`REPLACE(REPLACE(${text}, 'İ', 'i'), 'Σ', 'σ')`);
}

/** Writes a conversion to upper case with one character for each letter. Some engines write ß as SS, and others do not change it. */
export function simpleUpper(text: string, upper: (text: string) => string): string {
  return upper(`REPLACE(${text}, 'ß', 'ẞ')`);
}

/** Quotes a string. Backslashes, and characters that would end the quotation, get a backslash before them. Line ends are escaped, too. */
export function backslashed(text: string, quote: string): string {
  const escaped = text.replaceAll("\\", "\\\\").replaceAll(quote, `\\${quote}`);
  return `${quote}${escaped.replaceAll("\n", "\\n").replaceAll("\r", "\\r")}${quote}`;
}

/** Writes the call to a function that adds periods to a date. */
export function shiftBy(name: string, ...args: readonly (string | number)[]): string {
  return `${name}(${args.join(", ")})`;
}
