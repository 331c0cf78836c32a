/** How a value of a caller is compared with those of a column, whatever its letters. */
import type { SqlDialect } from "@bridle/warehouse";

/**
 * The spellings of a value whose forms in lower case are compared. Engines and collations differ in the letters that they know: SQLite and
 * PostgreSQL's collation C change those of ASCII only. So the value itself and its upper, lower and capitalized forms are compared.
 */
export function spellingsOf(value: string): readonly string[] {
  const [first = "", ...rest] = value;
  const lower = value.toLowerCase();
  const capitalized = first.toUpperCase() + rest.join("").toLowerCase();
  return [...new Set([value, lower, value.toUpperCase(), capitalized])];
}

/** Whether a text of the scan is the value, whatever the case of its letters. */
export function isSpelledAlike(text: string, value: string): boolean {
  return text.toLowerCase() === value.toLowerCase() || text.toUpperCase() === value.toUpperCase();
}

/** The condition that an expression is one of the spellings. The engine itself makes both sides lower. */
export function matchStoredValue(dialect: SqlDialect, expression: string, value: string): string {
  // LOWER of ClickHouse changes letters of ASCII only.
  const lower = dialect.id === "clickhouse" ? "lowerUTF8" : "LOWER";
  const forms = spellingsOf(value).map((spelling) => `${lower}(${dialect.quoteText(spelling)})`);
  return `${lower}(${expression}) IN (${forms.join(", ")})`;
}
