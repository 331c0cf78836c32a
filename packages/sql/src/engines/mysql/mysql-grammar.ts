import { type SelectGrammar, wordSet } from "../../select/select-grammar.ts";
import { strictRules } from "../lexical-rules.ts";
import { mysqlEffects, mysqlFunctions, mysqlReserved, mysqlUnits } from "./mysql-words.ts";

const variables = "Variables cannot be used here. Write the value itself.";

/**
 * The grammar of MySQL 8 and MariaDB 10, with the sql_mode that the session sets: double quotes enclose strings, and backslashes escape.
 * Statements are sent as utf8mb4, in which no other character contains the byte of a quote or a backslash.
 */
export const mysqlGrammar: SelectGrammar = {
  lexical: strictRules({
    nameQuotes: new Map([["`", "`"]]),
    textQuotes: `'"`,
    backslashEscapes: true,
    hashComments: true,
    dashesNeedSpace: true,
    wordCharacters: "$",
    symbols: "<=> ->> -> <= >= <> != << >> || && := = < > + - * / % & | ^ ~ ! ( ) , . ;".split(" "),
    refusedComments: ["/*!", "/*M!", "/*m!", "/*+"],
    refusedCharacters: new Map([
      ["@", variables],
      ["?", "Placeholders cannot be used here. Write the value itself."],
      ["{", "Escapes in braces cannot be used here. Write the value without them."],
    ]),
  }),
  reserved: mysqlReserved,
  functions: mysqlFunctions,
  tableFunctions: wordSet("json_table"),
  unitFunctions: wordSet("extract timestampadd timestampdiff get_format"),
  fromFunctions: wordSet("trim substring substr mid"),
  typeFunctions: wordSet("cast convert"),
  constants: wordSet(
    "null true false current_date current_time current_timestamp current_user localtime localtimestamp utc_date utc_time utc_timestamp",
  ),
  intervalUnits: mysqlUnits,
  // Only these character set introducers are allowed. In other character sets, such as _gbk, a string may end elsewhere.
  literalPrefixes: wordSet("date time timestamp x b n _utf8mb4 _utf8mb3 _utf8 _binary _latin1 _ascii"),
  binarySymbols: wordSet("<=> ->> -> <= >= <> != << >> || && = < > + - * / % & | ^"),
  binaryWords: wordSet("and or xor div mod like regexp rlike in between escape"),
  prefixes: wordSet("not ! - + ~ binary all any some"),
  selectModifiers: wordSet("all distinct distinctrow straight_join sql_no_cache sql_small_result sql_big_result"),
  effects: mysqlEffects,
  argumentWords: wordSet("separator using returning"),
};
