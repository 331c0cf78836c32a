import { type SelectGrammar, wordSet } from "../../select/select-grammar.ts";
import { strictRules } from "../lexical-rules.ts";
import { sqlserverEffects, sqlserverFunctions, sqlserverReserved } from "./sqlserver-words.ts";

/** The grammar of SQL Server 2016 and later, with QUOTED_IDENTIFIER on, as the session sets it: double quotes enclose names. */
export const sqlserverGrammar: SelectGrammar = {
  lexical: strictRules({
    nameQuotes: new Map([
      ["[", "]"],
      ['"', '"'],
    ]),
    textQuotes: "'",
    backslashEscapes: false,
    hashComments: false,
    dashesNeedSpace: false,
    wordCharacters: "$#@",
    symbols: "<> != <= >= !< !> = < > + - * / % & | ^ ~ ( ) , . ;".split(" "),
    refusedComments: [],
    refusedCharacters: new Map([
      ["@", "Variables cannot be used here. Write the value itself."],
      ["#", "Temporary tables cannot be used here. Use a common table expression."],
      ["{", "Escapes in braces cannot be used here. Write the value without them."],
      ["\\", "A backslash may continue a line inside of a text. Remove it."],
    ]),
  }),
  reserved: sqlserverReserved,
  functions: sqlserverFunctions,
  tableFunctions: wordSet("openjson string_split generate_series"),
  unitFunctions: wordSet("dateadd datediff datediff_big datename datepart datetrunc date_bucket"),
  fromFunctions: wordSet("trim"),
  typeFunctions: wordSet("cast try_cast convert try_convert parse try_parse"),
  constants: wordSet("null current_timestamp current_user system_user session_user user"),
  intervalUnits: new Set(),
  literalPrefixes: wordSet("n"),
  binarySymbols: wordSet("<> != <= >= !< !> = < > + - * / % & | ^"),
  binaryWords: wordSet("and or like in between escape"),
  prefixes: wordSet("not - + ~ all any some"),
  selectModifiers: wordSet("all distinct"),
  effects: sqlserverEffects,
  argumentWords: wordSet("using"),
};
