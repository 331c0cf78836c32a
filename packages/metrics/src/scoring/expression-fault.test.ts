import { describe, expect, test } from "vitest";
import { answerExpressionFault, expressionFault } from "./expression-fault.ts";

describe("an expression that checks nothing is refused", () => {
  test.each([
    ["", "matches every text"],
    [".*", "matches every text"],
    ["x*", "matches every text"],
    ["shipped|", "matches every text"],
    ["(?:)", "matches every text"],
    ["^", "matches every text"],
    ["$", "matches every text"],
    ["(?!.*sorry)", "matches every text"],
    ["(?!sorry)", "matches every text"],
    ["(?<!sorry)", "matches every text"],
    ["(?s:(?!.*sorry))", "matches every text"],
    ["\\b", "matches a position"],
    ["\\B|\\b", "matches every text"],
    ["(?=.)", "matches a position"],
    ["(?=\\S)", "matches a position"],
    ["(?<=.)", "matches a position"],
    ["^(?!.*sorry)", 'forbids "sorry" in one line only'],
    ["^(?!.*colou?r)", 'forbids "colour" in one line only'],
    ["^(?!.*\\bA\\.B\\b)", 'forbids "A.B" in one line only'],
    ["(?m:^(?!.*sorry))", 'forbids "sorry" in one line only'],
    ["(?ms:^(?!.*sorry))", 'forbids "sorry" in one line only'],
    ["^(?!.*(?:sorry|afraid))", 'forbids "sorry" in one line only'],
    ["(", "is not valid"],
  ])("%s: %s", (source, fault) => {
    expect(expressionFault(source)).toContain(fault);
    expect(answerExpressionFault(source)).toContain(fault);
  });
});

test.each([".", ".+", "\\S", "\\w", "\\w+", "[\\s\\S]", "^.", "[a-z0-9]", "^(?:.|\\n)+$", "\\d|[A-Za-z]"])(
  "%s checks nothing in an answer, which is never empty, but something in an argument",
  (source) => {
    expect(answerExpressionFault(source)).toContain("matches every ordinary answer");
    expect(expressionFault(source)).toBeUndefined();
  },
);

test.each([
  "shipped",
  "^A-\\d+$",
  "\\d",
  "(?is:^(?!.*sorry))",
  "(?s:^(?!.*(?:sorry|afraid)))",
  "^(?![\\s\\S]*sorry)",
  "^(?!sorry)",
  "(?=.*shipped)",
  "(?=.*A-1)(?=.*shipped)",
  "(?<!not )shipped",
  "\\bshipped\\b",
  "\\?$",
  "^[\\x20-\\x7E]*$",
  "^.{1,200}$",
  "^[^<>]*$",
  "^[^\\n]*$",
  "^\\S+$",
  "^(a+)+$",
  "return|lamp",
])("%s is accepted", (source) => {
  expect(answerExpressionFault(source)).toBeUndefined();
  expect(expressionFault(source)).toBeUndefined();
});
