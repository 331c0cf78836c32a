import type { SqlToken } from "../tokens/sql-token.ts";
import type { SelectGrammar } from "./select-grammar.ts";
import type { SqlReading } from "./sql-reading.ts";

/** A statement while it is read. In addition to the parts of an expression, a statement has tables. */
export interface StatementReading extends SqlReading {
  /** Reads a table with everything that belongs to it: a name, a function, or a query or joins in parentheses. */
  factor(): void;
}

/** The clauses that one engine reads in its own way. For a function that the engine omits, the reader reads the common form, or nothing. */
export interface SelectClauses {
  /** Returns the name in a token. Default: the name as written, without its quotes. */
  readonly nameOf?: (token: SqlToken) => string;
  /** Splits the names of a table further. In some engines, one quoted name contains several parts. */
  readonly tablePath?: (names: readonly string[]) => readonly string[];
  /** The name of the engine's table without columns, such as `dual`. */
  readonly dual?: string;
  /** Whether a common table expression may refer to itself without RECURSIVE. */
  readonly recursesAlways?: boolean;
  /**
   * Whether a common table expression with the name of a table is refused, because the engine does not define clearly which of the two such
   * a name refers to.
   */
  readonly refusesTableNames?: boolean;
  /** Whether two common table expressions of one statement must have different names. */
  readonly refusesRepeatedNames?: boolean;
  /** Refuses columns with an effect. */
  readonly checkColumn?: (parts: readonly SqlToken[], isStar: boolean) => void;
  /** Reads `TOP (5)` and other parts before the first selected expression. */
  readonly top?: (reading: StatementReading) => void;
  readonly selectItem?: (reading: StatementReading) => void;
  /** Reads the clauses between the tables and WHERE. */
  readonly beforeWhere?: (reading: StatementReading) => void;
  readonly groupBy?: (reading: StatementReading) => void;
  /** Reads the clauses after GROUP BY, HAVING and WINDOW. */
  readonly afterGroups?: (reading: StatementReading) => void;
  /** Reads the clause that limits the rows of a query, after ORDER BY. */
  readonly limit?: (reading: StatementReading) => void;
  /** Reads a table. `common` reads the form that all engines share. */
  readonly factor?: (reading: StatementReading, common: () => void) => void;
  /** Reads joins such as CROSS APPLY, and returns whether there was such a join. */
  readonly otherJoin?: (reading: StatementReading) => boolean;
  /** Reads the arguments of a function in the table list. */
  readonly tableFunction?: (reading: StatementReading, name: string) => void;
  /** Reads the parts after a table and its alias, such as a hint. */
  readonly tableSuffix?: (reading: StatementReading) => void;
}

/** How the statements of one engine are read. */
export interface SelectEngine {
  readonly grammar: SelectGrammar;
  readonly clauses: SelectClauses;
}
