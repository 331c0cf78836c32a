/** Compares a caller's value with the values of a column, ignoring case. */
import type { SqlDialect } from "@bridle/warehouse";

/**
 * Returns the spellings of a value: the value itself, and its upper-case, lower-case and capitalized forms. All of them are compared in
 * lower case, because engines and collations differ in the letters that they convert: SQLite, and PostgreSQL with the collation C, convert
 * only ASCII letters.
 */
export function spellingsOf(value: string): readonly string[] {
  const [first = "", ...rest] = value;
  const lower = value.toLowerCase();
  const capitalized = first.toUpperCase() + rest.join("").toLowerCase();
  return [...new Set([value, lower, value.toUpperCase(), capitalized])];
}

/** Returns a function that tests whether a string from the scan is the value, ignoring case. */
export function alikeTo(value: string): (text: string) => boolean {
  const [lower, upper] = [value.toLowerCase(), value.toUpperCase()];
  // A letter has at most three letters in the other case, so most strings need no conversion.
  const [shortest, longest] = [value.length / maxCaseLetters, value.length * maxCaseLetters];
  return (text) =>
    text.length >= shortest && text.length <= longest && (text.toLowerCase() === lower || text.toUpperCase() === upper);
}

const maxCaseLetters = 3;

/** Writes the condition that an expression is one of the spellings. The engine itself converts both sides to lower case. */
export function matchStoredValue(dialect: SqlDialect, expression: string, value: string): string {
  // ClickHouse's LOWER converts only ASCII letters.
  const lower = dialect.id === "clickhouse" ? "lowerUTF8" : "LOWER";
  const forms = spellingsOf(value).map((spelling) => `${lower}(${dialect.quoteText(spelling)})`);
  return `${lower}(${expression}) IN (${forms.join(", ")})`;
}
