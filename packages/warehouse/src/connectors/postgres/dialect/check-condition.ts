import { nearest } from "@bridle/protocol";
import { StatementRefusedError } from "@bridle/sql";
import { onlySelect } from "./check-statement.ts";
import { parseSql } from "./parser.ts";
import { childNodes } from "./syntax-tree.ts";
import { type ExtraRules, SelectWalker } from "./walk-select.ts";

/** Checks the condition of a row filter: one expression over the columns of a table. */
export async function checkPostgresCondition(condition: string, columns: readonly string[]): Promise<void> {
  const parsed = await parseSql(`SELECT ${condition}`);
  const { node } = onlySelect(parsed);
  const [target, ...others] = childNodes("targetList", node.targetList);
  const clauses = Object.keys(node).filter((name) => !["targetList", "limitOption", "op"].includes(name));
  const isExpression = target !== undefined && others.length === 0 && clauses.length === 0 && node.op === "SETOP_NONE";
  if (!isExpression || target.node.name !== undefined || parsed.hasComments || /[;]\s*$/.test(condition))
    throw new StatementRefusedError(
      `The condition ${JSON.stringify(condition)} is not one expression. Write one, such as region = 'EU', without comments.`,
      { reason: "not_a_read" },
    );
  new SelectWalker(undefined, new ConditionRules(columns)).walk(target);
}

/** Refuses subqueries and columns of other tables. */
class ConditionRules implements ExtraRules {
  readonly #columns: readonly string[];

  constructor(columns: readonly string[]) {
    this.#columns = columns;
  }

  checkNode(type: string): void {
    if (!["SubLink", "SelectStmt", "A_Star", "WindowDef"].includes(type)) return;
    throw new StatementRefusedError("A condition has no subquery, star or window. Name columns of its table only.", {
      reason: "not_a_read",
    });
  }

  checkColumn(parts: readonly string[]): void {
    const name = parts.join(".");
    if (parts.length === 1 && this.#columns.includes(name)) return;
    throw new StatementRefusedError(`The condition names ${name}, which is not a column of its table.`, {
      reason: "unknown_name",
      nearest: nearest(name, this.#columns),
    });
  }
}
