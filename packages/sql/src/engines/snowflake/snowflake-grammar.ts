import { type SelectGrammar, wordSet } from "../../select/select-grammar.ts";
import { strictRules } from "../lexical-rules.ts";
import {
  snowflakeConstants,
  snowflakeEffects,
  snowflakeFunctions,
  snowflakeReserved,
  snowflakeTypes,
  snowflakeUnits,
} from "./snowflake-words.ts";

/** The grammar of Snowflake. A backslash escapes in strings, but not in quoted names. */
export const snowflakeGrammar: SelectGrammar = {
  lexical: strictRules({
    nameQuotes: new Map([['"', '"']]),
    textQuotes: "'",
    backslashEscapes: true,
    hashComments: false,
    slashComments: true,
    dollarTexts: true,
    dashesNeedSpace: false,
    wordCharacters: "$",
    symbols: ":: => -> <= >= <> != || = < > + - * / % ( ) [ ] , . ; :".split(" "),
    refusedComments: [],
    refusedCharacters: new Map([
      ["@", "Stages cannot be read here. Name a table."],
      ["$", "Variables and positions of columns cannot be used here. Write the value or the name itself."],
      ["?", "Parameters cannot be used here. Write the value itself."],
      ["{", "Objects in braces cannot be used here. Write object_construct(…)."],
      ["!", "Methods of models and classes cannot be called here."],
    ]),
  }),
  reserved: snowflakeReserved,
  functions: snowflakeFunctions,
  tableFunctions: wordSet("table"),
  unitFunctions: wordSet(
    "extract date_part date_trunc dateadd datediff timeadd timediff timestampadd timestampdiff trunc last_day",
  ),
  fromFunctions: new Set(),
  typeFunctions: wordSet("cast try_cast"),
  constants: snowflakeConstants,
  intervalUnits: snowflakeUnits,
  literalPrefixes: wordSet("date time timestamp x"),
  binarySymbols: wordSet("=> -> <= >= <> != || = < > + - * / %"),
  binaryWords: wordSet("and or like ilike rlike regexp in between escape"),
  prefixes: wordSet("not - + any all some"),
  selectModifiers: wordSet("all distinct"),
  effects: snowflakeEffects,
  argumentWords: wordSet("ignore respect"),
  typeNames: snowflakeTypes,
  hasArrays: true,
  hasCastSymbol: true,
  starWords: wordSet("exclude"),
  starReplaces: true,
  fieldSymbols: wordSet(": ."),
};
