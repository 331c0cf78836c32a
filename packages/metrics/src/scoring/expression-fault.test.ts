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
    ["(?!$)", "matches a position"],
    ["x|(?!$)", "matches a position"],
    ["(?!.*sorry)\\w+", "Hold it with ^ at the beginning: (?s:^(?!.*sorry))."],
    ["(?!.*sorry)\\S", "tries (?!.*sorry) at every position"],
    ["(?!.*sorry)\\w+$", "tries (?!.*sorry) at every position"],
    ["(?!.*sorry)shipped", "tries (?!.*sorry) at every position"],
    ["(?=.*shipped)(?!.*sorry)", "tries (?!.*sorry) at every position"],
    ["\\b(?![\\s\\S]*sorry)\\w", "tries (?![\\s\\S]*sorry) at every position"],
    ["(?:x|(?!.*sorry)\\w)", "tries (?!.*sorry) at every position"],
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
  "\\w.*",
  "x|\\w.*",
  "(?!sorry)\\w+",
  "(?<!not )\\w+",
  "\\w+(?!.*sorry)",
  "\\b(?!sorry)\\w",
  "[^x]",
  "[^xy]+",
  "\\p{L}",
  "\\p{L}+",
  "[a-z]",
  "[A-Za-z]+",
  "(?i:[a-z])",
  "\\D",
  "\\W*\\w",
])("%s checks nothing in an answer: what it asks for or forbids is in every answer", (source) => {
  expect(answerExpressionFault(source)).toMatch(/^matches (every ordinary answer|almost every answer)/);
  expect(expressionFault(source)).toBeUndefined();
});

test.each([
  "^(?!no$)",
  "^(?![A-Z]{3})",
  "(?s:^(?!.*[A-Z]{3}))",
  "(?s:^(?=.*shipped)(?!.*sorry))",
  "(?s:^(?:x|(?!.*sorry)))",
  "^(?:(?!sorry)[\\s\\S])*$",
  "shipped(?!.*not)",
  "(?!000)\\d{3}",
  "(?<!\\?)$",
  "(?<!\\d)\\d{4}(?!\\d)",
  "^\\D*$",
  "^\\D",
  "\\D$",
  "^[A-Za-z]",
  "[a-z]$",
  "^[a-z]",
  "^\\p{Lu}",
  "\\p{Lu}",
  "^\\p{L}+$",
  "[^\\x20-\\x7E]",
  "^[^x]*$",
  "[A-Z]",
  "[0-9]",
  "[.!?]$",
  "\\(\\?!.*",
  "[(?!.*]\\d",
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
