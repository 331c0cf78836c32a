/** Parts of SQL that several engines spell alike. */

type Spelling = (args: readonly string[]) => string;

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

/** What most engines write alike. A dialect has its own spelling of the rest. */
export const standardFunctions = {
  floor_decimal: ([operand]) => `FLOOR(${operand})`,
  ceil_decimal: ([operand]) => `CEIL(${operand})`,
  round_decimal: ([operand, digits]) => `ROUND(${operand}, ${digits})`,
  to_decimal: ([operand, digits, scale]) => `CAST(${operand} AS DECIMAL(${digits}, ${scale}))`,
  text_end: ([text, length]) => `RIGHT(${text}, ${length})`,
  whole_quotient: ([operand, divisor]) => `(${operand} / ${divisor})`,
} satisfies Readonly<Record<string, Spelling>>;

/**
 * Small letters as one character for each. Engines have several for a dotted capital I, and a final sigma of its own, if they know the
 * language.
 */
export function simpleLower(text: string, lower: (text: string) => string): string {
  return lower(`REPLACE(REPLACE(${text}, 'İ', 'i'), 'Σ', 'σ')`);
}

/** Capitals as one character for each. Some engines write a sharp s as SS, and others leave it. */
export function simpleUpper(text: string, upper: (text: string) => string): string {
  return upper(`REPLACE(${text}, 'ß', 'ẞ')`);
}

/** Quoted, with a backslash before what ends the quotation and before backslashes. Line ends are escaped too. */
export function backslashed(text: string, quote: string): string {
  const escaped = text.replaceAll("\\", "\\\\").replaceAll(quote, `\\${quote}`);
  return `${quote}${escaped.replaceAll("\n", "\\n").replaceAll("\r", "\\r")}${quote}`;
}

/** The call of a function that adds to a date. */
export function shiftBy(name: string, ...args: readonly (string | number)[]): string {
  return `${name}(${args.join(", ")})`;
}
