import { expect, test } from "vitest";
import { StatementRefusedError } from "../refusals/statement-refused.ts";
import { readTokens, type TokenRules } from "../tokens/read-tokens.ts";
import type { SqlToken } from "../tokens/sql-token.ts";
import { bigqueryGrammar } from "./bigquery/bigquery-grammar.ts";
import { clickhouseGrammar } from "./clickhouse/clickhouse-grammar.ts";
import { logSyntaxOf, readLogTokens } from "./log-rules.ts";
import { mysqlGrammar } from "./mysql/mysql-grammar.ts";
import { snowflakeGrammar } from "./snowflake/snowflake-grammar.ts";
import { sqliteRules } from "./sqlite/sqlite-rules.ts";
import { sqlserverGrammar } from "./sqlserver/sqlserver-grammar.ts";

const strict: ReadonlyMap<string, TokenRules> = new Map([
  ["bigquery", bigqueryGrammar.lexical],
  ["clickhouse", clickhouseGrammar.lexical],
  ["mysql", mysqlGrammar.lexical],
  ["snowflake", snowflakeGrammar.lexical],
  ["sqlserver", sqlserverGrammar.lexical],
]);

const shown = (tokens: readonly SqlToken[]) =>
  tokens.filter(({ kind }) => kind !== "end").map(({ kind, value }) => `${kind} ${value}`);

/** Reads the tokens of a text by the given rules. Returns `refused` if the rules refuse the text. */
function tokensOf(sql: string, rules: TokenRules): readonly string[] | "refused" {
  try {
    return shown(readTokens(sql, rules).tokens);
  } catch (error) {
    expect(error).toBeInstanceOf(StatementRefusedError);
    return "refused";
  }
}

test.each<[string, string]>([
  ["an unclosed comment", "1 /* 2"],
  ["a comment that is both opened and closed by one star", "1 /*/ 2"],
  ["a comment within a comment", "1 /* /* */ 2"],
  ["a carriage return that ends no line", "1 -- a\r2"],
  ["an unclosed text", "'a"],
  ["a text whose last quote is doubled", "'a''"],
  ["a number that runs into a word", "1a"],
  ["full-width letters", "ｓelect"],
  ["a Kelvin sign, whose lower case is k", "ran\u212a"],
  ["letters beyond the Basic Multilingual Plane", "𝒳"],
  ["a NUL", "a\0b"],
  ["half of a surrogate pair", "'\ud800'"],
  ["a parameter", "?"],
])("no engine whose SELECT is checked accepts %s", (_, sql) => {
  for (const [engine, rules] of strict) expect([engine, tokensOf(sql, rules)]).toEqual([engine, "refused"]);
});

test.each<[string, string, string, readonly string[] | "refused"]>([
  ["mysql", "double quotes enclose texts", '"a""b"', ['text a"b']],
  ["sqlserver", "double quotes enclose names", '"a""b"', ['name a"b']],
  ["mysql", "a backslash escapes a quote", String.raw`'a\'b'`, [String.raw`text a\'b`]],
  ["sqlserver", "a backslash escapes nothing", String.raw`'a\'b'`, "refused"],
  ["bigquery", "a quote in a text is not doubled", "'a''b'", ["text a", "text b"]],
  ["bigquery", "three quotes are refused", "'''a'''", "refused"],
  ["clickhouse", "a quote in a name is refused", "`a``b`", "refused"],
  ["mysql", "dashes without a space are refused", "1--1", "refused"],
  ["snowflake", "dashes without a space begin a comment", "1--1", ["number 1"]],
  ["mysql", "a comment that is executed is refused", "1 /*! 2 */", "refused"],
  ["mysql", "a hash begins a comment", "1 # 2", ["number 1"]],
  ["sqlserver", "a hash names a temporary table", "#a", "refused"],
  ["sqlserver", "a hash may be within a word", "a#b", ["word a#b"]],
  ["snowflake", "two slashes begin a comment", "1 // 2", ["number 1"]],
  ["bigquery", "two slashes are two operators", "1 // 2", ["number 1", "symbol /", "symbol /", "number 2"]],
  ["snowflake", "dollars enclose a text", "$$a'b$$", ["text a'b"]],
  ["snowflake", "a third dollar is refused", "$$a$$$", "refused"],
  ["sqlserver", "brackets enclose names", "[a]]b]", ["name a]b"]],
  ["clickhouse", "brackets enclose an array", "[a]", ["symbol [", "word a", "symbol ]"]],
])("in %s, %s", (engine, _, sql, expected) => {
  expect(tokensOf(sql, strict.get(engine) ?? sqliteRules)).toEqual(expected);
});

test.each<[string, string, readonly string[] | "refused"]>([
  ["every character beyond ASCII is a letter", "ｓ𝒳\u212a", ["word ｓ𝒳\u212a"]],
  ["only A to Z have a lower case", "ÄBC", ["word Äbc"]],
  ["comments do not nest", "1 /* /* */ 2", ["number 1", "number 2"]],
  ["a carriage return ends no comment", "1 -- a\r2", ["number 1"]],
  ["brackets have no doubled quote", "[a]]b]", "refused"],
  ["a form feed is a space", "a\fb", ["word a", "word b"]],
  ["a blob is a text with its quotes", "x'41'", ["text x'41'"]],
  ["an unclosed comment is refused", "1 /* 2", "refused"],
])("in SQLite, %s", (_, sql, expected) => {
  expect(tokensOf(sql, sqliteRules)).toEqual(expected);
});

test.each<[string, string, string, readonly string[]]>([
  ["postgres", "an unclosed quote ends with the text", "a = 'b", ["word a", "symbol =", "text b"]],
  ["postgres", "an unclosed comment ends with the text", "a /* b", ["word a"]],
  ["postgres", "a backslash escapes only in E'…'", String.raw`'a\' E'a\'b'`, ["text a\\", String.raw`text a\'b`]],
  ["postgres", "a dollar quote may have a tag", "$t$a$$b$t$", ["text a$$b"]],
  ["postgres", "a bracket is an element", "a[b]", ["word a", "symbol [", "word b", "symbol ]"]],
  ["sqlserver", "a bracket is a name", "[a b]", ["name a b"]],
  ["mysql", "double quotes enclose texts", '"a"', ["text a"]],
  ["mysql", "a hash begins a comment", "1 #a", ["number 1"]],
  ["postgres", "a hash may be an operator", "a #> b", ["word a", "symbol #", "symbol >", "word b"]],
  ["snowflake", "two slashes begin a comment", "1 // 2", ["number 1"]],
  [
    "postgres",
    "parameters are tokens",
    "$1 ? :a {{ b }} %s",
    ["$1", "?", ":a", "{{ b }}", "%s"].map((each) => `parameter ${each}`),
  ],
  ["postgres", "a rest of a division is no parameter", "a %size", ["word a", "symbol %", "word size"]],
])("in a log of %s, %s", (dialect, _, sql, expected) => {
  expect(shown(readLogTokens(sql, logSyntaxOf(dialect)))).toEqual(expected);
});
