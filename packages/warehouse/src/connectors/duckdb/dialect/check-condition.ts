/** Checks the condition of a row filter. */
import { StatementRefusedError } from "@bridle/sql";
import { parseSelect } from "./parser.ts";
import { isObject, type SyntaxObject, textsAt } from "./syntax-tree.ts";
import { StatementWalker } from "./walk-statement.ts";

/** Names of values that are written like columns. */
const namedValues = new Set(["current_date", "current_time", "current_timestamp", "localtime", "localtimestamp"]);

/** @throws StatementRefusedError */
export async function checkDuckDbCondition(condition: string, columns: readonly string[]): Promise<void> {
  const query = await parseSelect(`SELECT 1 FROM t WHERE (${condition})`);
  // The tree must be the same without the parentheses. If it is not, the condition closes them.
  const bare = await parseSelect(`SELECT 1 FROM t WHERE ${condition}`);
  const plain = await parseSelect("SELECT 1 FROM t WHERE TRUE");
  const where = query.where_clause;
  if (!isSame(query, bare) || !isSame({ ...query, where_clause: null }, { ...plain, where_clause: null }))
    throw refuse("It is not one condition. Write one expression.");
  const { tables, columns: named } = new StatementWalker(undefined).walk(query);
  if (tables.length !== 1 || contains(where, "SUBQUERY"))
    throw refuse("It has a subquery. Name columns of its table only.");
  if (contains(where, "STAR") || contains(where, "WINDOW") || contains(where, "LAMBDA"))
    throw refuse("It has a star, a window or a lambda. Use plain comparisons.");
  const known = new Set(columns.map((column) => column.toLowerCase()));
  for (const node of named) checkColumn(node, known);
}

function checkColumn(node: SyntaxObject, known: ReadonlySet<string>): void {
  const [first = ""] = textsAt(node, "column_names");
  const name = first.toLowerCase();
  if (known.has(name) || (namedValues.has(name) && textsAt(node, "column_names").length === 1)) return;
  throw new StatementRefusedError(
    `The condition names ${first}, which is not a column of its table. Correct the name.`,
    {
      reason: "unknown_name",
    },
  );
}

function contains(node: unknown, kind: string): boolean {
  if (Array.isArray(node)) return node.some((item) => contains(item, kind));
  if (!isObject(node)) return false;
  return node.class === kind || Object.values(node).some((child) => contains(child, kind));
}

/** Whether two trees are equal, ignoring positions. */
function isSame(first: unknown, second: unknown): boolean {
  const write = (value: unknown) =>
    JSON.stringify(value, (key, item: unknown) => (key === "query_location" ? undefined : item));
  return write(first) === write(second);
}

function refuse(reason: string): StatementRefusedError {
  return new StatementRefusedError(`The condition is not allowed. ${reason}`, { reason: "effect" });
}
