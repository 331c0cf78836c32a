/** Binds conditions that are written within a model, for joins that may find no row of that model. */
import type { ParsedExpression } from "../expressions/expression.ts";
import { namesInExpression } from "../expressions/names-in-expression.ts";
import { operandsOfRow } from "../expressions/operands-of-row.ts";
import type { SqlExpression } from "../ir/sql-expression.ts";
import type { ModelSet } from "../models/model-set.ts";
import { type ColumnSource, columnOfRow, refuseWithoutKey } from "./bind-dimension.ts";
import { bindExpression } from "./bind-expression.ts";
import { type FieldPath, isSamePath } from "./field-path.ts";
import type { FilterFields } from "./filter-tree.ts";

/** The key for the row itself, which no written name equals. */
const ownRow = "";

/** Binds a condition whose operands are NULL if a join finds no row, like a dimension with the same expression. */
export function bindOfRow(
  models: ModelSet,
  condition: ParsedExpression,
  fields: FilterFields,
  source: ColumnSource,
): SqlExpression {
  let row: FieldPath | undefined;
  const ofRow = operandsOfRow(condition, (operand) => {
    const found = pathOfRow(models, operand, fields);
    row ??= found;
    return found && [ownRow];
  });
  const resolve = (parts: readonly string[]) =>
    row && parts[0] === ownRow ? source.column(row.steps, row.name) : fields.bind(source, fields.toPath(parts));
  return bindExpression(ofRow, resolve, fields.zone);
}

/**
 * Returns the path of a column that is NULL if there is no row of the model that the operand's names belong to; undefined if the operand
 * does not depend on such a row.
 */
function pathOfRow(
  models: ModelSet,
  operand: ParsedExpression,
  { model, toPath }: FilterFields,
): FieldPath | undefined {
  if (model === undefined) return undefined;
  const names = namesInExpression(operand);
  const own = names.find((parts) => parts.length === 1 || (parts.length === 2 && parts[0] === model));
  const { steps = [] } = own ? toPath(own) : {};
  const edge = steps.at(-1);
  if (edge?.to !== model || steps.some(({ isToMany }) => isToMany)) return undefined;
  const isOfRow = names.every((parts) => isSamePath(toPath(parts).steps.slice(0, steps.length), steps));
  if (!isOfRow) return undefined;
  const name = columnOfRow(models, edge) ?? refuseWithoutKey(`A condition of ${model}`, model);
  return { steps, model, name };
}
