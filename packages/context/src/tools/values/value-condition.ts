/** Compares a value of a caller with the values of a column, ignoring case. */
import type { SqlDialect } from "@bridle/warehouse";

/**
 * The spellings of a value. Their lower-case forms are compared. Engines and collations lower different letters: SQLite and PostgreSQL's
 * collation C change only those of ASCII. So the value itself and its upper, lower and capitalized forms are compared.
 */
export function spellingsOf(value: string): readonly string[] {
  const [first = "", ...rest] = value;
  const lower = value.toLowerCase();
  const capitalized = first.toUpperCase() + rest.join("").toLowerCase();
  return [...new Set([value, lower, value.toUpperCase(), capitalized])];
}

/** Whether a text of the scan is the value, ignoring case. */
export function isSpelledAlike(text: string, value: string): boolean {
  return text.toLowerCase() === value.toLowerCase() || text.toUpperCase() === value.toUpperCase();
}

/** The condition that an expression is one of the spellings. The engine itself converts both sides to lower case. */
export function matchStoredValue(dialect: SqlDialect, expression: string, value: string): string {
  // LOWER of ClickHouse changes ASCII letters only.
  const lower = dialect.id === "clickhouse" ? "lowerUTF8" : "LOWER";
  const forms = spellingsOf(value).map((spelling) => `${lower}(${dialect.quoteText(spelling)})`);
  return `${lower}(${expression}) IN (${forms.join(", ")})`;
}
