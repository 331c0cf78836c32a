import type { TokenRules } from "../tokens/read-tokens.ts";

/** What one engine allows in a SELECT. All words are in lower case. Anything not listed is refused. */
export interface SelectGrammar {
  readonly lexical: TokenRules;
  /** Words that are names or aliases only if they are quoted. They include each word that may begin a clause or a statement. */
  readonly reserved: ReadonlySet<string>;
  /** The functions that may be called. */
  readonly functions: ReadonlySet<string>;
  /** Functions that may stand for a table, such as `openjson`. */
  readonly tableFunctions: ReadonlySet<string>;
  /** Functions whose first argument may be a unit of time or another keyword. */
  readonly unitFunctions: ReadonlySet<string>;
  /** Functions that may have FROM between arguments, such as `trim`. */
  readonly fromFunctions: ReadonlySet<string>;
  /** Functions with a type among their arguments, such as `cast(a AS type)`. */
  readonly typeFunctions: ReadonlySet<string>;
  /** Values that are written without parentheses, such as `current_date`. */
  readonly constants: ReadonlySet<string>;
  /** The units in expressions such as `INTERVAL 1 DAY`. Empty if the engine has no such expressions. */
  readonly intervalUnits: ReadonlySet<string>;
  /** Words that may come before a literal, such as `date`. */
  readonly literalPrefixes: ReadonlySet<string>;
  readonly binarySymbols: ReadonlySet<string>;
  readonly binaryWords: ReadonlySet<string>;
  readonly prefixes: ReadonlySet<string>;
  /** Words that may come between SELECT and its first expression. */
  readonly selectModifiers: ReadonlySet<string>;
  /** Words and symbols that write, lock or leave the database, with the sentence that explains each refusal. */
  readonly effects: ReadonlyMap<string, string>;
  /**
   * Words that may follow an argument within the parentheses of a call, such as `separator`. After each of them comes a word or an
   * expression.
   */
  readonly argumentWords: ReadonlySet<string>;
  /** Type names in addition to those that all engines have. */
  readonly typeNames?: ReadonlySet<string> | undefined;
  /** Whether `[1, 2]` is an array, and `a[1]` one of its elements. */
  readonly hasArrays?: boolean | undefined;
  /** Whether `a::type` is a cast. */
  readonly hasCastSymbol?: boolean | undefined;
  /** Whether a function may have two lists of arguments, as in `quantile(0.5)(a)`. */
  readonly hasParameters?: boolean | undefined;
  /** Whether a name after IN is a table, as in `a IN orders`. Such names are refused. */
  readonly inNamesTables?: boolean | undefined;
  /** Words after `*` that leave out columns, such as `except`. */
  readonly starWords?: ReadonlySet<string> | undefined;
  /** Whether `*` may be followed by `REPLACE (a + 1 AS a)`. */
  readonly starReplaces?: boolean | undefined;
  /** Functions that accept a query as their only argument, such as `array`. */
  readonly queryFunctions?: ReadonlySet<string> | undefined;
  /** Words that may come before the dot and the name of a function, such as `safe`, each with the functions that may follow it. */
  readonly functionGroups?: ReadonlyMap<string, ReadonlySet<string>> | undefined;
  /** Symbols between a value and the name of one of its fields, such as the dot of `a[0].b`. */
  readonly fieldSymbols?: ReadonlySet<string> | undefined;
}

/** Returns the words of a string as a set. */
export function wordSet(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/).filter((word) => word !== ""));
}

/** Words that combine two SELECTs. */
export const setOperators = wordSet("union except intersect minus");
