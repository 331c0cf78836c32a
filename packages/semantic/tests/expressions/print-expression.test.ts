import { expect, test } from "vitest";
import { parseExpression } from "../../src/expressions/parse-expression.ts";
import { printExpression } from "../../src/expressions/print-expression.ts";

const texts = [
  "a + b * -c",
  "case when x in (1, 2) then 'it''s' when y is not null then null else date '2024-01-31' end",
  "not (name like 'A%') and z is distinct from 3 or contains(x, 'y')",
  "cast(a.b as date) >= timestamp '2024-01-31 10:00:00'",
  "count(*) / nullif(sum(distinct x), 0)",
  "{from}.a = {to}.b and q not between 1 and 2.5",
];

for (const text of texts) {
  test(`the expression ${text} is the same after it is printed and parsed`, () => {
    const parsed = parseExpression(text);
    expect(parseExpression(printExpression(parsed))).toEqual(parsed);
  });
}
