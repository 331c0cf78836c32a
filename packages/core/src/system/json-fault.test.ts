import { expect, test } from "vitest";
import { describeJsonFault } from "./json-fault.ts";

const secret = "s3cr3t-value";

test.each([
  [`{"a": 1,\n ${secret}}`, "is not valid JSON (line 2, column 2)"],
  [`{\n  "type": ${secret}\n}`, "is not valid JSON (line 2, column 11)"],
  [`[1, 2, ${secret}]`, "is not valid JSON (line 1, column 8)"],
  [`{"key": "${secret}`, /^is not valid JSON( \(line 1, column \d+\))?$/],
  [
    `${secret} and much more text, so that the parser shows only a part of it`,
    /^is not valid JSON( \(line 1, column 1\))?$/,
  ],
  [secret, /^is not valid JSON( \(line 1, column 1\))?$/],
  ["", /^is not valid JSON( \(line 1, column 1\))?$/],
])("a fault of %j is told without a word of the text", (text, expected) => {
  try {
    JSON.parse(text);
    expect.fail("it is no JSON");
  } catch (error) {
    const told = describeJsonFault(error, text);
    expect(told).toMatch(expected);
    expect(told).not.toContain(secret);
  }
});
