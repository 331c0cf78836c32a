import {
  mapExpression,
  type ParsedExpression,
  type SemanticModel,
  type StoredGrain,
} from "@bridle/semantic/model-parts";

/** The note about expressions that compare a time with a date, which other tools interpret differently. */
export const dayComparison = "A date that is compared with a time is its first moment there, and here its whole day.";

export function isDayOrMore(grain: StoredGrain | undefined): boolean {
  return grain !== undefined && !["second", "minute", "hour"].includes(grain);
}

/** Whether an expression compares a date with a value that may be a time. */
export function hasDayComparison(expression: ParsedExpression, { dimensions = [] }: SemanticModel): boolean {
  let isFound = false;
  mapExpression(expression, (part) => {
    if (part.kind !== "binary" || !["<=", ">", "=", "<>"].includes(part.operator)) return undefined;
    const names = [part.left, part.right].filter((side) => side.kind === "name").map(({ path }) => path.join("."));
    const isDate = [part.left, part.right].some(
      (side) => side.kind === "literal" && /^\d{4}-\d\d-\d\d$/.test(side.value),
    );
    const isDay = dimensions.some(
      ({ name, expr = name, type, grain }) => names.includes(expr) && (type === "date" || isDayOrMore(grain)),
    );
    isFound ||= names.length > 0 && isDate && !isDay;
    return undefined;
  });
  return isFound;
}
