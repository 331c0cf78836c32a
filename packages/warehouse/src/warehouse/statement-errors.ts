/** Explains an engine's errors, without data that must not leave the connection. */
import { InvalidRequestError, nearest } from "@bridle/protocol";
import { StatementRefusedError } from "@bridle/sql";
import type { TableStructure } from "../port/structure.ts";
import { redactSensitive } from "../sensitive/redact-values.ts";
import { joinName } from "../settings/name-pattern.ts";
import { shownLine, shownName } from "./shown-name.ts";

export interface FailedStatement {
  /** The caller's original statement. */
  readonly statement: string;
  /** The tables that the statement reads. */
  readonly tables: readonly TableStructure[];
  /** The key for the digests. */
  readonly key: string;
  /** The columns of these tables whose values are replaced with digests, in the form `schema.table.column`. */
  readonly masked: readonly string[];
  /** Whether columns, rows or tables are hidden from the caller. The engine's message may quote hidden values and names. */
  readonly isGuarded: boolean;
  /** Whether single sensitive values in messages are replaced, as in results. */
  readonly isSearched: boolean;
}

/** Patterns for the engines' messages about a column that does not exist. */
const unknownColumn = [
  /no such column: (.+?)\.?\s*$/im, // SQLite
  /column (.+?) does not exist/i, // PostgreSQL
  /unknown column '(.+?)'/i, // MySQL, MariaDB
  /referenced column "(.+?)" (?:not found|was not found)/i, // DuckDB
  /does not have a column named "(.+?)"/i, // DuckDB
  /invalid column name '(.+?)'/i, // SQL Server
  /unrecognized name: ([^\s;]+?)(?:;| at |\.?\s*$)/i, // BigQuery
  /name (\S+) not found inside/i, // BigQuery
  /invalid identifier '(.+?)'/i, // Snowflake
  /(?:missing columns?:|unknown (?:expression )?identifier:?) [`'](.+?)[`']/i, // ClickHouse
];

/** Returns the engine's refusal of a statement in a form that the caller may see. */
export function explainEngineError(
  error: InvalidRequestError,
  failed: FailedStatement,
): InvalidRequestError | StatementRefusedError {
  const name = findUnknownColumn(error.message, failed.statement);
  if (name !== undefined) return refuseColumn(name, failed.tables);
  const message = cleanMessage(error.message, failed);
  const hint = ofTypes.test(error.message) ? describeMasked(failed.masked) : undefined;
  return new InvalidRequestError(hint === undefined ? message : `${endSentence(message)} ${hint}`);
}

/** Matches messages about values of the wrong type. */
const ofTypes = /\b(?:operators?|functions?|cast|convert|conversion|types?|invalid input)\b/i;

/** Explains that an operator or a cast may fail only because a digest is text. */
function describeMasked(masked: readonly string[]): string | undefined {
  if (masked.length === 0) return undefined;
  const more = masked.length > maxMasked ? ` and ${masked.length - maxMasked} more` : "";
  const names = shownLine(masked.slice(0, maxMasked).join(", "), maxCharacters);
  return `The statement reads sensitive columns, and their values are texts of digests: ${names}${more}.`;
}

function endSentence(message: string): string {
  return /[.!?]$/.test(message) ? message : `${message}.`;
}

/** The maximum number of masked columns in a message. */
const maxMasked = 5;

function findUnknownColumn(message: string, statement: string): string | undefined {
  for (const pattern of unknownColumn) {
    const column = pattern
      .exec(message)?.[1]
      ?.trim()
      .split(".")
      .at(-1)
      ?.replaceAll(/^["'`[]|["'`\]]$/g, "");
    if (column && contains(statement, column)) return column;
  }
  return undefined;
}

/** The maximum number of columns in a message. */
const maxColumns = 30;

function refuseColumn(name: string, tables: readonly TableStructure[]): StatementRefusedError {
  const columns = [...new Set(tables.flatMap((table) => table.columns.map((column) => column.name)))];
  const near = nearest(name, columns);
  const read = tables.map(({ schema, table }) => shownName([schema, table])).join(", ");
  const shown = (near.length > 0 ? near : columns.slice(0, maxColumns)).map((column) => shownName([column])).join(", ");
  const more = near.length === 0 && columns.length > maxColumns ? ` and ${columns.length - maxColumns} more` : "";
  const all = columns.length === 0 ? "It reads no table. Add FROM." : `The columns are: ${shown}${more}.`;
  const remedy = near.length > 0 ? `Did you mean ${shown}?` : all;
  const message = `There is no column ${shownName([name])} in ${read || "this statement"}. ${remedy}`;
  return new StatementRefusedError(message, { reason: "unknown_name", nearest: near });
}

/** The maximum length of an engine's message. Longer messages are cut. */
const maxCharacters = 600;

function cleanMessage(message: string, { statement, key, isGuarded, isSearched }: FailedStatement): string {
  const withoutKey = message.replaceAll(key, "[key]");
  const searched = isSearched ? redactSensitive(withoutKey) : withoutKey;
  return shownLine(isGuarded ? withoutValues(searched, statement) : searched, maxCharacters);
}

const quoted = /(?<![\p{L}\p{N}])'(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`]*`/gu;
const unquoted = [
  /(\b(?:table|view|relation|object)(?: with name)?:?\s+)([^\s"'`,;()[\]]*[^\s"'`,;()[\].!?])/giu,
  /(\bvalue\b\s*[:=]?\s*)(?!\[|of\b|is\b)([^\s"'`,;()[\]]+)/giu,
  /(:\s+)([^\s"'`,;:()[\]]*[\p{N}@][^\s"'`,;()[\]]*)/giu,
];

/** Replaces quoted strings and values that are not in the statement, because they may come from rows that the caller may not see. */
function withoutValues(message: string, statement: string): string {
  const isOwn = (text: string) => text === "" || contains(statement, text);
  const withoutQuoted = message.replaceAll(quoted, (found) => (isOwn(found.slice(1, -1)) ? found : "[hidden]"));
  return unquoted.reduce(
    (text, pattern) =>
      text.replaceAll(pattern, (found, before: string, value: string) => (isOwn(value) ? found : `${before}[hidden]`)),
    withoutQuoted,
  );
}

function contains(statement: string, text: string): boolean {
  return statement.toLowerCase().includes(text.toLowerCase());
}

/**
 * Returns the refusal of a table that does not exist, or that the caller may not see. `limited` is the connection's name if its scope
 * excludes tables.
 */
export function refuseTable(
  name: readonly string[],
  visible: readonly TableStructure[],
  limited: string | undefined,
): StatementRefusedError {
  const wanted = name.at(-1) ?? "";
  const near = nearest(
    wanted,
    visible.map(({ table }) => table),
  );
  const tables = visible
    .filter(({ table }) => near.includes(table))
    .sort((a, b) => near.indexOf(a.table) - near.indexOf(b.table));
  const names = tables.slice(0, 3).map(({ schema, table }) => joinName([schema, table]));
  const shown = tables.slice(0, 3).map(({ schema, table }) => shownName([schema, table]));
  const remedy = shown.length === 0 ? "Search for the tables that there are." : `Did you mean ${shown.join(", ")}?`;
  const scope = limited === undefined ? "" : `, or it is outside of the scope of the connection ${limited}`;
  return new StatementRefusedError(`There is no table ${shownName(name)}${scope}. ${remedy}`, {
    reason: "unknown_name",
    nearest: names,
  });
}

/** Returns the refusal of a name that several tables have. */
export function refuseAmbiguous(name: readonly string[], tables: readonly TableStructure[]): StatementRefusedError {
  const names = tables.slice(0, 5).map(({ schema, table }) => [schema, table]);
  const message = `The name ${shownName(name)} is ambiguous. Write one of ${names.map(shownName).join(", ")}.`;
  return new StatementRefusedError(message, { reason: "unknown_name", nearest: names.map(joinName) });
}

/** Returns the refusal of a table in the engine's own catalog. */
export function refuseOutside(name: readonly string[], connection: string): StatementRefusedError {
  const message = `You may not read ${shownName(name)}: it is outside of the scope of the connection ${connection}.`;
  return new StatementRefusedError(message, { reason: "outside_scope" });
}
