import { type LexicalRules, strictRules, type TokenRules } from "@bridle/sql";
import type { DialectId } from "@bridle/warehouse";

const symbols =
  "::= <=> !== || :: <> != <= >= => ->> -> == := = < > + - * / % ( ) , . ; [ ] { } ? : @ $ & | ^ ~ ! #".split(" ");

const basic: LexicalRules = {
  nameQuotes: new Map([
    ['"', '"'],
    ["`", "`"],
  ]),
  textQuotes: "'",
  backslashEscapes: false,
  hashComments: false,
  dashesNeedSpace: false,
  wordCharacters: "$",
  symbols,
  refusedComments: [],
  refusedCharacters: new Map(),
};

const backquotes = new Map([["`", "`"]]);
const brackets = new Map([...basic.nameQuotes, ["[", "]"]]);

const rules: Readonly<Record<DialectId, LexicalRules>> = {
  sqlite: { ...basic, nameQuotes: brackets },
  duckdb: { ...basic, dollarTexts: true },
  postgres: { ...basic, dollarTexts: true },
  mysql: { ...basic, nameQuotes: backquotes, textQuotes: "'\"", backslashEscapes: true, hashComments: true },
  clickhouse: { ...basic, backslashEscapes: true },
  sqlserver: { ...basic, nameQuotes: brackets },
  snowflake: { ...basic, backslashEscapes: true, dollarTexts: true, slashComments: true },
  bigquery: { ...basic, nameQuotes: backquotes, textQuotes: "'\"", backslashEscapes: true, hashComments: true },
};

/** The lexical rules for statements of an engine. The statements ran already, so none is refused for its effects. */
export function lexicalRulesOf(dialect: DialectId): TokenRules {
  return strictRules(rules[dialect]);
}
