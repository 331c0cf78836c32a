/** Walks the tree of a query, refuses everything outside the lists of read-only parts, and collects the names of tables. */
import { StatementRefusedError } from "@bridle/sql";
import { safeFunctions, safeTableFunctions } from "./safe-functions.ts";
import { isObject, type SyntaxObject, tableExpressionsOf, textAt } from "./syntax-tree.ts";

/** The parts of a statement that name something. */
export interface NamedParts {
  /** References to tables, excluding common table expressions. */
  readonly tables: readonly SyntaxObject[];
  readonly columns: readonly SyntaxObject[];
}

const expressionClasses = new Set([
  "BETWEEN",
  "CASE",
  "CAST",
  "COLLATE",
  "COLUMN_REF",
  "COMPARISON",
  "CONJUNCTION",
  "CONSTANT",
  "FUNCTION",
  "LAMBDA",
  "OPERATOR",
  "POSITIONAL_REFERENCE",
  "STAR",
  "SUBQUERY",
  "WINDOW",
]);

const queryTypes = new Set(["SELECT_NODE", "SET_OPERATION_NODE", "RECURSIVE_CTE_NODE"]);

/** Parts of queries that are neither expressions nor queries. */
const partTypes = new Set([
  "BASE_TABLE",
  "SUBQUERY",
  "JOIN",
  "TABLE_FUNCTION",
  "EMPTY",
  "EXPRESSION_LIST",
  "PIVOT",
  "ORDER_MODIFIER",
  "LIMIT_MODIFIER",
  "LIMIT_PERCENT_MODIFIER",
  "DISTINCT_MODIFIER",
  "ORDER_DEFAULT",
  "ASCENDING",
  "DESCENDING",
]);

/** Keys of literals and types, which do not name anything that is read. */
const literalKeys = new Set(["value", "values_type", "cast_type", "sample", "type_info"]);

type Scope = ReadonlySet<string>;

interface Visit {
  readonly node: unknown;
  readonly scope: Scope;
}

export class StatementWalker implements NamedParts {
  readonly tables: SyntaxObject[] = [];
  readonly columns: SyntaxObject[] = [];
  readonly #functions: ReadonlySet<string>;
  /**
   * Whether the given functions exclude the database's macros. If they do, `name.upper()` is safe, too: DuckDB first reads it as a function
   * in a schema, where only a macro could be called `upper`.
   */
  readonly #knowsMacros: boolean;
  /**
   * The nodes that are still to be visited. A list replaces recursion, because a query with thousands of parts is nested thousands of
   * levels deep.
   */
  readonly #open: Visit[] = [];

  /** `functions` limits the functions that may be called. Default: all safe functions. */
  constructor(functions: ReadonlySet<string> | undefined) {
    this.#functions = functions ?? safeFunctions;
    this.#knowsMacros = functions !== undefined;
  }

  /** @throws StatementRefusedError */
  walk(query: SyntaxObject): NamedParts {
    this.#open.push({ node: query, scope: new Set() });
    for (let visit = this.#open.pop(); visit !== undefined; visit = this.#open.pop()) this.#visit(visit);
    return this;
  }

  #visit({ node, scope }: Visit): void {
    if (Array.isArray(node)) for (const item of node) this.#open.push({ node: item, scope });
    if (!isObject(node)) return;
    if (typeof node.class === "string") this.#visitExpression(node, node.class, scope);
    else if (typeof node.type === "string") this.#visitPart(node, node.type, scope);
    else this.#visitChildren(node, scope);
  }

  #visitExpression(node: SyntaxObject, kind: string, scope: Scope): void {
    if (!expressionClasses.has(kind)) throw refuseForm(kind);
    if (kind === "CONSTANT") return;
    if (kind === "COLUMN_REF") this.columns.push(node);
    if (kind === "FUNCTION" || kind === "WINDOW") this.#checkFunction(node);
    this.#visitChildren(node, scope);
  }

  #visitPart(node: SyntaxObject, type: string, scope: Scope): void {
    if (queryTypes.has(type)) {
      this.#visitQuery(node, type, scope);
      return;
    }
    if (!partTypes.has(type)) throw refuseForm(type);
    if (type === "BASE_TABLE") this.#visitTable(node, scope);
    else if (type === "TABLE_FUNCTION") this.#visitTableFunction(node, scope);
    else this.#visitChildren(node, scope);
  }

  /**
   * Visits a query. A common table expression is visible to the expressions after it and to the query, and to itself only if it is
   * recursive.
   */
  #visitQuery(node: SyntaxObject, type: string, scope: Scope): void {
    const known = new Set(scope);
    for (const expression of tableExpressionsOf(node)) {
      this.#open.push({ node: { ...expression.node, class: undefined, type: undefined }, scope: new Set(known) });
      known.add(expression.name.toLowerCase());
    }
    const { cte_map: _expressions, right, ...rest } = node;
    this.#visitChildren(rest, known);
    const own = type === "RECURSIVE_CTE_NODE" ? [textAt(node, "cte_name").toLowerCase()] : [];
    this.#open.push({ node: right, scope: new Set([...known, ...own]) });
  }

  #visitTable(node: SyntaxObject, scope: Scope): void {
    if (node.at_clause !== null && node.at_clause !== undefined) throw refuseForm("AT");
    const isQualified = textAt(node, "schema_name") !== "" || textAt(node, "catalog_name") !== "";
    if (isQualified || !scope.has(textAt(node, "table_name").toLowerCase())) this.tables.push(node);
  }

  #visitTableFunction(node: SyntaxObject, scope: Scope): void {
    const call = node.function;
    if (!isObject(call) || call.class !== "FUNCTION") throw refuseForm("TABLE_FUNCTION");
    const name = textAt(call, "function_name").toLowerCase();
    if (!safeTableFunctions.has(name) || !isBuiltIn(call))
      throw refuse(
        `The table function ${name} is not among those that only read tables of the connection. Name a table.`,
      );
    this.#visitChildren(call, scope);
  }

  #checkFunction(node: SyntaxObject): void {
    const name = textAt(node, "function_name").toLowerCase();
    if (!this.#functions.has(name) || !(isBuiltIn(node) || (this.#knowsMacros && textAt(node, "catalog") === "")))
      throw refuse(`The function ${name} is not among those that only read. Use another function.`);
  }

  #visitChildren(node: SyntaxObject, scope: Scope): void {
    for (const [key, child] of Object.entries(node)) {
      if (typeof child === "object" && child !== null && !literalKeys.has(key)) this.#open.push({ node: child, scope });
    }
  }
}

function isBuiltIn(call: SyntaxObject): boolean {
  return ["", "main"].includes(textAt(call, "schema")) && textAt(call, "catalog") === "";
}

/** Why a form is refused, and what to use instead, by DuckDB's name of the form. */
const forms: Readonly<Record<string, string>> = {
  SHOW_REF: "DESCRIBE, SHOW and SUMMARIZE are not allowed. Use the description of the table.",
  PARAMETER: "The statement has parameters. Write their values.",
  AT: "AT reads another version of a table, which is not allowed. Leave it out.",
};

function refuseForm(form: string): StatementRefusedError {
  return refuse(forms[form] ?? `The statement has a part that is not allowed here: ${form}. Use a plain SELECT.`);
}

function refuse(message: string): StatementRefusedError {
  return new StatementRefusedError(message, { reason: "effect" });
}
