/** PostgreSQL's own parser, from the optional package libpg-query. */
import { importOptional } from "@bridle/core";
import { ConfigError } from "@bridle/protocol";
import { StatementRefusedError } from "@bridle/sql";
import { z } from "zod";

const tokenSchema = z.object({ start: z.int(), end: z.int(), tokenName: z.string() });
/** A token of a statement. `start` and `end` count the bytes of the statement in UTF-8. */
export type PostgresToken = z.output<typeof tokenSchema>;

const treeSchema = z.object({ stmts: z.array(z.object({ stmt: z.record(z.string(), z.unknown()) })).optional() });

/** A parsed text: the trees of its statements, and its tokens without comments. */
export interface ParsedSql {
  readonly statements: readonly Readonly<Record<string, unknown>>[];
  readonly tokens: readonly PostgresToken[];
  readonly hasComments: boolean;
}

/** @throws StatementRefusedError if the text cannot be parsed; ConfigError if the parser is not installed. */
export async function parseSql(sql: string): Promise<ParsedSql> {
  if (sql.includes("\0") || !sql.isWellFormed())
    throw new StatementRefusedError("The statement contains a character that is not valid text. Remove it.", {
      reason: "syntax",
    });
  if (sql.trim() === "")
    throw new StatementRefusedError("The statement is empty. Write one SELECT.", { reason: "syntax" });
  const parser = await loadParser();
  try {
    const { stmts = [] } = treeSchema.parse(await parser.parse(sql));
    const all = z.array(tokenSchema).parse((await parser.scan(sql)).tokens);
    const tokens = all.filter(({ tokenName }) => !isComment(tokenName));
    return { statements: stmts.map(({ stmt }) => stmt), tokens, hasComments: tokens.length < all.length };
  } catch (cause) {
    if (!(cause instanceof Error) || cause instanceof z.ZodError) throw cause;
    const message = `The statement cannot be parsed: ${cause.message}. Correct it.`;
    throw new StatementRefusedError(message, { reason: "syntax", cause });
  }
}

function isComment(tokenName: string): boolean {
  return tokenName === "SQL_COMMENT" || tokenName === "C_COMMENT";
}

export function loadParser(): Promise<typeof import("libpg-query")> {
  return importOptional(
    ["libpg-query"],
    () => import("libpg-query"),
    (problem, cause) => new ConfigError(`A connection of type postgres ${problem}`, { cause }),
  );
}
