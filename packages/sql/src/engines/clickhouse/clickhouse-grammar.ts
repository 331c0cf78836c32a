import { type SelectGrammar, wordSet } from "../../select/select-grammar.ts";
import { strictRules } from "../lexical-rules.ts";
import {
  clickhouseEffects,
  clickhouseFunctions,
  clickhouseReserved,
  clickhouseTypes,
  clickhouseUnits,
} from "./clickhouse-words.ts";

/** The grammar of ClickHouse 23.3 and later. A backslash escapes in strings and in quoted names. */
export const clickhouseGrammar: SelectGrammar = {
  lexical: strictRules({
    nameQuotes: new Map([
      ["`", "`"],
      ['"', '"'],
    ]),
    textQuotes: "'",
    backslashEscapes: true,
    plainNames: true,
    hashComments: false,
    dashesNeedSpace: false,
    wordCharacters: "",
    symbols: ":: -> <= >= <> != == || = < > + - * / % ( ) [ ] , . ;".split(" "),
    refusedComments: [],
    refusedCharacters: new Map([
      ["{", "Parameters and maps in braces cannot be used here. Write the value itself, or map(…)."],
      ["@", "Variables cannot be used here. Write the value itself."],
      ["?", "The operator ? cannot be used here. Write if(…)."],
      ["$", "Texts in dollar signs cannot be used here. Quote them."],
    ]),
  }),
  reserved: clickhouseReserved,
  functions: clickhouseFunctions,
  tableFunctions: wordSet("numbers"),
  unitFunctions: wordSet("extract dateadd datesub datediff date_add date_sub date_diff age"),
  fromFunctions: wordSet("trim substring"),
  typeFunctions: wordSet("cast trycast"),
  constants: wordSet("null true false nan inf current_date current_timestamp"),
  intervalUnits: clickhouseUnits,
  literalPrefixes: wordSet("date timestamp x b"),
  binarySymbols: wordSet("-> <= >= <> != == || = < > + - * / %"),
  binaryWords: wordSet("and or like ilike in between div mod regexp"),
  prefixes: wordSet("not - +"),
  selectModifiers: wordSet("all distinct"),
  effects: clickhouseEffects,
  argumentWords: new Set(),
  typeNames: clickhouseTypes,
  hasArrays: true,
  hasCastSymbol: true,
  hasParameters: true,
  inNamesTables: true,
  starWords: wordSet("except"),
};
