import { type SelectGrammar, wordSet } from "../../select/select-grammar.ts";
import { strictRules } from "../lexical-rules.ts";
import {
  bigqueryEffects,
  bigqueryFunctions,
  bigqueryReserved,
  bigqueryTypes,
  bigqueryUnits,
  netFunctions,
} from "./bigquery-words.ts";

/** The grammar of GoogleSQL. A string, even a raw one, ends at the first quote without a backslash before it. */
export const bigqueryGrammar: SelectGrammar = {
  lexical: strictRules({
    nameQuotes: new Map([["`", "`"]]),
    textQuotes: "'\"",
    backslashEscapes: true,
    plainNames: true,
    undoubledTexts: true,
    hashComments: true,
    dashesNeedSpace: false,
    wordCharacters: "",
    symbols: "<= >= <> != || = < > + - * / ^ & ~ ( ) [ ] , . ;".split(" "),
    refusedComments: [],
    refusedCharacters: new Map([
      ["@", "Parameters and system variables cannot be used here. Write the value itself."],
      ["?", "Parameters cannot be used here. Write the value itself."],
      ["|", "The pipe syntax and the operator | cannot be used here. Write clauses, or bit_or(…)."],
      ["{", "Braces cannot be used here."],
      ["$", "The character $ cannot be used here. Quote the name."],
    ]),
  }),
  reserved: bigqueryReserved,
  functions: bigqueryFunctions,
  tableFunctions: wordSet("unnest"),
  unitFunctions: wordSet("extract"),
  fromFunctions: wordSet("extract"),
  typeFunctions: wordSet("cast safe_cast"),
  constants: wordSet("null true false current_date current_datetime current_time current_timestamp"),
  intervalUnits: bigqueryUnits,
  literalPrefixes: wordSet("date time datetime timestamp numeric decimal bignumeric bigdecimal json r b rb br"),
  binarySymbols: wordSet("<= >= <> != || = < > + - * / ^ &"),
  binaryWords: wordSet("and or like in between"),
  prefixes: wordSet("not - + ~"),
  selectModifiers: wordSet("all distinct"),
  effects: bigqueryEffects,
  argumentWords: wordSet("as limit format ignore respect"),
  typeNames: bigqueryTypes,
  hasArrays: true,
  starWords: wordSet("except"),
  starReplaces: true,
  queryFunctions: wordSet("array"),
  fieldSymbols: wordSet("."),
  functionGroups: new Map([
    ["safe", bigqueryFunctions],
    ["net", netFunctions],
  ]),
};
