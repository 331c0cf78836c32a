import type { TokenRules } from "../tokens/read-tokens.ts";

/** The parts that one engine adds to a SELECT. All words are in lower case. Anything that is not listed is refused. */
export interface SelectGrammar {
  readonly lexical: TokenRules;
  /** Words that can only be a name or alias if they are quoted. They include each word that may begin a clause or a statement. */
  readonly reserved: ReadonlySet<string>;
  /** The functions that may be called. */
  readonly functions: ReadonlySet<string>;
  /** Functions of the table list, such as `openjson`. */
  readonly tableFunctions: ReadonlySet<string>;
  /** Functions with a unit of time or another keyword as their first argument. */
  readonly unitFunctions: ReadonlySet<string>;
  /** Functions with FROM between arguments, such as `trim`. */
  readonly fromFunctions: ReadonlySet<string>;
  /** Functions with `AS type`, such as `cast`. */
  readonly typeFunctions: ReadonlySet<string>;
  /** Values that are written without parentheses, such as `current_date`. */
  readonly constants: ReadonlySet<string>;
  /** Units of `INTERVAL 1 DAY`. Empty if the engine has no such expression. */
  readonly intervalUnits: ReadonlySet<string>;
  /** Words before a literal, such as `date`. */
  readonly literalPrefixes: ReadonlySet<string>;
  readonly binarySymbols: ReadonlySet<string>;
  readonly binaryWords: ReadonlySet<string>;
  readonly prefixes: ReadonlySet<string>;
  /** Words between SELECT and its first expression. */
  readonly selectModifiers: ReadonlySet<string>;
  /** Words that write, lock or leave the database, with a sentence for each. */
  readonly effects: ReadonlyMap<string, string>;
  /** Words after the arguments of a function in its parentheses. A word or an expression follows each of them. */
  readonly argumentWords: ReadonlySet<string>;
  /** Names of types in addition to those that all engines have. */
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
  /** Words before a dot and the name of a function, such as `safe`, with the functions that may follow. */
  readonly functionGroups?: ReadonlyMap<string, ReadonlySet<string>> | undefined;
  /** Symbols between a value and the name of one of its fields, such as the dot of `a[0].b`. */
  readonly fieldSymbols?: ReadonlySet<string> | undefined;
}

/** A set of the words in a text. */
export function wordSet(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/).filter((word) => word !== ""));
}

/** Words between two SELECTs. */
export const setOperators = wordSet("union except intersect minus");
