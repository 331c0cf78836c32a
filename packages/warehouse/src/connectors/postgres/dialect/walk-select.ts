/** Walks the tree of one SELECT, refuses nodes that may have an effect, and collects the positions of tables. */
import { StatementRefusedError } from "@bridle/sql";
import { allowedNodes, refusedNodes, refusedTypes } from "./allowed-nodes.ts";
import { isSafeFunction, isSafeOperator } from "./functions.ts";
import { childNodes, isNode, namesIn, placeOf, type TreeNode, type TypedNode, textOf } from "./syntax-tree.ts";

/** A table or view that a statement names. */
export interface TableReference {
  readonly parts: readonly string[];
  readonly place: number;
  readonly alias: string | undefined;
  readonly isOnly: boolean;
  readonly isSampled: boolean;
}

/** A column with the schema of its table, such as `sales.orders.id`. */
export interface QualifiedColumn {
  readonly parts: readonly string[];
  readonly place: number;
}

/** The caller's rules, in addition to the refusal of effects. Each method throws a StatementRefusedError. */
export interface ExtraRules {
  checkNode?(type: string): void;
  checkColumn?(parts: readonly string[]): void;
}

/** The field that contains the name of a function, an operator, a type or a column, by the type of the node. */
const nameFields: Readonly<Record<string, string>> = {
  FuncCall: "funcname",
  A_Expr: "name",
  SubLink: "operName",
  SortBy: "useOp",
  TypeName: "names",
  ColumnRef: "fields",
  A_Indirection: "indirection",
};

/** The names of the common table expressions that are visible at a place. */
type Visible = ReadonlySet<string>;

export class SelectWalker {
  readonly tables: TableReference[] = [];
  readonly columns: QualifiedColumn[] = [];
  readonly #safe: ReadonlySet<string> | undefined;
  readonly #rules: ExtraRules;

  constructor(safe: ReadonlySet<string> | undefined, rules: ExtraRules = {}) {
    this.#safe = safe;
    this.#rules = rules;
  }

  walk({ type, node }: TypedNode, visible: Visible = new Set(), isSampled = false): void {
    if (!allowedNodes.has(type)) refuseNode(type);
    this.#rules.checkNode?.(type);
    if (type === "A_Const") return;
    if (type === "SelectStmt") this.#walkSelect(node, visible);
    else if (type === "RangeVar") this.#addTable(node, visible, isSampled);
    else {
      const field = nameFields[type];
      if (field !== undefined) this.#checkName(type, namesIn(node[field]), placeOf(node));
      this.#walkFields(node, visible, type === "RangeTableSample");
    }
  }

  #checkName(type: string, parts: readonly string[], place: number): void {
    if (type === "FuncCall") this.#checkFunction(parts);
    else if (type === "TypeName") this.#checkType(parts);
    else if (type === "ColumnRef") this.#addColumn(parts, place);
    else if (type === "A_Indirection") for (const part of parts) this.#checkField(part);
    else this.#checkOperator(parts);
  }

  #walkFields(node: TreeNode, visible: Visible, isSample = false): void {
    for (const [field, value] of Object.entries(node))
      for (const child of childNodes(field, value)) this.walk(child, visible, isSample && field === "relation");
  }

  /**
   * Walks a SELECT. With RECURSIVE, all common table expressions can refer to each other; without it, each can refer to those before it.
   */
  #walkSelect(node: TreeNode, outer: Visible): void {
    const clause = node.withClause;
    const expressions = isNode(clause) ? childNodes("", clause.ctes) : [];
    const isRecursive = isNode(clause) && clause.recursive === true;
    const names = expressions.map((expression) => textOf(expression.node.ctename));
    let visible: Visible = isRecursive ? new Set([...outer, ...names]) : outer;
    for (const [index, expression] of expressions.entries()) {
      this.walk(expression, visible);
      visible = new Set([...visible, names[index] ?? ""]);
    }
    this.#walkFields(without(node, "withClause"), visible);
  }

  #addTable(node: TreeNode, visible: Visible, isSampled: boolean): void {
    const names = [node.catalogname, node.schemaname, node.relname];
    const parts = names.filter((name) => typeof name === "string");
    if (parts.length === 1 && visible.has(parts[0] ?? "")) return;
    const alias = isNode(node.alias) ? textOf(node.alias.aliasname) : undefined;
    this.tables.push({ parts, place: placeOf(node), alias, isOnly: node.inh !== true, isSampled });
  }

  #addColumn(parts: readonly string[], place: number): void {
    if (parts.length > 1) this.#checkField(parts.at(-1) ?? "");
    if (parts.length > 2) this.columns.push({ parts, place });
    this.#rules.checkColumn?.(parts);
  }

  #checkFunction(parts: readonly string[]): void {
    if (isSafeFunction(parts, this.#safe)) return;
    const name = parts.join(".");
    throw new StatementRefusedError(
      `The function ${name} may have an effect or read outside of the tables, or does not exist. Compute the value without it.`,
      { reason: "effect" },
    );
  }

  #checkOperator(parts: readonly string[]): void {
    const name = parts.at(-1);
    if (name === undefined || isSafeOperator(name, this.#safe)) return;
    throw new StatementRefusedError(
      `The operator ${name} may have an effect, or does not exist. Compute the value without it.`,
      { reason: "effect" },
    );
  }

  #checkType(parts: readonly string[]): void {
    const name = parts.at(-1) ?? "";
    if (refusedTypes.has(name.replace(/^_/, "")))
      // a leading underscore marks an array type
      throw new StatementRefusedError(`The type ${name} looks names up in the catalog. Leave the cast out.`, {
        reason: "effect",
      });
    if (this.#safe?.has(`refused cast ${name}`))
      throw new StatementRefusedError(
        `The type ${name} is that of a table's rows, or a cast to it calls a function that may have an effect. Leave it out.`,
        { reason: "effect" },
      );
  }

  /**
   * Refuses a field such as `row.name` if `name` is also a function that may have an effect. PostgreSQL calls that function if the row has
   * no such column.
   */
  #checkField(name: string): void {
    if (!this.#safe?.has(`refused field ${name}`)) return;
    throw new StatementRefusedError(
      `${name} is also a function that may have an effect. Read the column in a subquery without the table's name.`,
      { reason: "effect" },
    );
  }
}

function without(node: TreeNode, field: string): TreeNode {
  return Object.fromEntries(Object.entries(node).filter(([name]) => name !== field));
}

function refuseNode(type: string): never {
  const problem = refusedNodes[type] ?? `The form ${type} is not one that only reads`;
  throw new StatementRefusedError(`${problem}. Write a SELECT without it.`, { reason: "not_a_read" });
}
