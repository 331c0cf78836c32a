import type { SelectedColumn, SelectRelation, SqlExpression } from "../ir/sql-expression.ts";
import { refuseMetric } from "../refusals/metric-refusal.ts";
import { columnsByAlias, conjuncts } from "./expression-forms.ts";

export interface UncorrelatedSelect {
  /** The expressions to look up in the rows of the SELECT. */
  readonly operands: readonly SqlExpression[];
  readonly select: SelectRelation;
}

/**
 * Converts `EXISTS (SELECT … WHERE inner = outer AND …)` to the parts of `outer IN (SELECT inner …)`, for engines without correlated
 * subqueries.
 */
export function withoutCorrelation(select: SelectRelation): UncorrelatedSelect {
  const own = new Set([select.from, ...(select.joins ?? [])].flatMap((relation) => relation?.alias ?? []));
  const isInner = (part: unknown) => [...columnsByAlias(part).keys()].every((alias) => own.has(alias));
  const isOuter = (part: unknown) => [...columnsByAlias(part).keys()].every((alias) => !own.has(alias));
  const operands: SqlExpression[] = [];
  const columns: SelectedColumn[] = [];
  const where: SqlExpression[] = [];
  for (const condition of (select.where ?? []).flatMap(conjuncts)) {
    if (isInner(condition)) where.push(condition);
    else if (condition.kind === "binary" && condition.operator === "=") {
      const { left, right } = condition;
      const [outer, inner] = isInner(left) ? [right, left] : [left, right];
      if (!isInner(inner) || !isOuter(outer)) return refuse();
      operands.push(outer);
      columns.push({ name: `i${columns.length}`, expression: inner });
    } else return refuse();
  }
  if (operands.length === 0) return refuse();
  return { operands, select: { ...select, columns, where } };
}

function refuse(): never {
  return refuseMetric(
    "unsupported",
    "This engine finds related rows by equal columns only, and a join or filter compares others. Leave it out.",
  );
}
