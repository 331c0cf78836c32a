import { StatementRefusedError } from "@bridle/sql";
import type { ResolvedTable, StatementContext } from "../../../port/dialect.ts";
import { type ParsedSql, type PostgresToken, parseSql } from "./parser.ts";
import { quoteName, quoteTable } from "./quote.ts";
import { applySplices, type Splice, TokenIndex, takeName } from "./splice.ts";
import { childNodes, type TypedNode } from "./syntax-tree.ts";
import { type QualifiedColumn, SelectWalker, type TableReference } from "./walk-select.ts";

/**
 * Checks a statement, and replaces the names of its tables in its text. Keeps all other characters, because SQL that is written from the
 * tree could have another meaning.
 */
export async function checkPostgresStatement(statement: string, context: StatementContext): Promise<string> {
  const parsed = await parseSql(statement);
  const walker = new SelectWalker(context.safeFunctions);
  walker.walk(onlySelect(parsed));
  refuseEscapedNames(parsed.tokens);
  const index = new TokenIndex(statement, parsed.tokens);
  const resolved = walker.tables.map((reference) => ({ reference, table: context.resolve(reference.parts) }));
  const splices = resolved.map(({ reference, table }) => replaceTable(reference, table, index));
  const replaced = resolved.filter(({ table }) => table.relation !== undefined).map(({ reference }) => reference);
  const columns = walker.columns.flatMap((column) => shortenColumn(column, replaced, index));
  return applySplices(statement, [...splices, ...columns]);
}

/** Returns the only SELECT of a text. Refuses a text that contains anything else. */
export function onlySelect({ statements }: ParsedSql): TypedNode {
  const [first, ...others] = statements;
  if (first === undefined || others.length > 0) {
    const count = first === undefined ? "no statement" : `${statements.length} statements`;
    throw new StatementRefusedError(`The text contains ${count}. Send one SELECT.`, { reason: "not_a_read" });
  }
  const [statement] = childNodes("stmt", first);
  if (statement?.type === "SelectStmt") return statement;
  const kind = (statement?.type ?? "").replace(/Stmt$/, "");
  throw new StatementRefusedError(`The statement is not a SELECT (${kind}). Only statements that read are run.`, {
    reason: "not_a_read",
  });
}

/** Refuses `U&"…"`. A UESCAPE after the name can change the meaning of its escapes, so the text could not be compared with the name. */
function refuseEscapedNames(tokens: readonly PostgresToken[]): void {
  if (!tokens.some(({ tokenName }) => tokenName === "UIDENT")) return;
  throw new StatementRefusedError('An identifier is written as U&"…". Write its characters themselves.', {
    reason: "syntax",
  });
}

function replaceTable(reference: TableReference, table: ResolvedTable, index: TokenIndex): Splice {
  const place = index.at(reference.place);
  const name = place && takeName(place.tokens, reference.parts, index);
  const [first, last] = [name?.[0], name?.at(-1)];
  if (place === undefined || first === undefined || last === undefined) throw unreadable(reference);
  if (table.relation === undefined) return { start: first.start, end: last.end, text: quoteTable(table) };
  if (reference.isOnly || reference.isSampled) throw notOnFiltered(reference);
  const star = place.tokens[name?.length ?? 0];
  const end = star !== undefined && index.textOf(star) === "*" ? star.end : last.end;
  const alias = reference.alias === undefined ? ` AS ${quoteName(reference.parts.at(-1) ?? "")}` : "";
  const text = `${table.relation}${alias}`;
  const { before } = place;
  if (before !== undefined && index.textOf(before).toLowerCase() === "table")
    return { start: before.start, end, text: `SELECT * FROM ${text}` };
  return { start: first.start, end, text };
}

function unreadable({ parts }: TableReference): Error {
  return new StatementRefusedError(
    `The table ${parts.join(".")} cannot be found in the text. Write its name without escapes.`,
    { reason: "syntax" },
  );
}

function notOnFiltered({ parts }: TableReference): Error {
  return new StatementRefusedError(
    `${parts.join(".")} has rows or columns that are hidden, so ONLY and TABLESAMPLE cannot be applied to it. Leave them out.`,
    { reason: "effect" },
  );
}

/** Shortens `sales.orders.id` to `orders.id`, because a replaced table is known only by its alias. */
function shortenColumn(
  { parts, place }: QualifiedColumn,
  replaced: readonly TableReference[],
  index: TokenIndex,
): readonly Splice[] {
  const table = parts.slice(0, -1);
  const isOfReplaced = replaced.some(({ parts: name }) => name.slice(-2).join("\0") === table.slice(-2).join("\0"));
  const found = isOfReplaced ? index.at(place) : undefined;
  const name = found && takeName(found.tokens, parts, index);
  const [first, kept] = [name?.[0], name?.at(-3)];
  return first === undefined || kept === undefined ? [] : [{ start: first.start, end: kept.start, text: "" }];
}
