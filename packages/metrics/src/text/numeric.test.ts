import { ConfigError } from "@bridle/protocol";
import fc from "fast-check";
import { expect, test } from "vitest";
import { z } from "zod";
import { examplesOf } from "../scoring/examples-for-tests.ts";
import { numbersIn } from "../values/numbers-in.ts";
import { numeric } from "./numeric.ts";

const given = { value: z.union([z.number(), z.string()]), tolerance: z.number().exactOptional() };

test.each(examplesOf("numeric", given))(
  "numeric of an example: $title",
  ({ given: { answer, value, ...rest }, score }) => {
    expect(numeric(answer, value, rest).score).toBe(score);
  },
);

test.each([
  ["206,588 and $1,200.50 and 12 %", [206588, 1200.5, 12]],
  ["1,234,567.89; 12,34,567; 1.234.567; 1.234,56", [1234567.89, 1234567, 1234567, 1234.56]],
  ["1'234.5 or 1\u202f234,5 or 1 234", [1234.5, 1234.5, 1, 234]],
  ["1,234 / 1.234 / 0,125 / 1,2345 / .5", [1234, 1.234, 0.125, 1.2345, 0.5]],
  ["1,2,3 and [4, 5] and 1,000, 2,000.", [1, 2, 3, 4, 5, 1000, 2000]],
  ["1,234,56", [1, 234, 56]],
  ["1.5e3, 2E-2, 5km, 2nd, total:7", [1500, 0.02, 5, 2, 7]],
  ["-3, +4, \u22125, -$6, $-7, x=-8, (-9)", [-3, 4, -5, -6, -7, -8, -9]],
  ["\u20133 degrees, 2\u20134 days", [-3, 2, 4]], // a dash as in typeset text
  ["10-20, 5 - 3, A1-2", [10, 20, 5, 3]],
  ["A-1001, GPT-4.1, v2.1, x86, COVID-19", []],
  ["2026-11-22T10:30:00Z, 22.11.2026, 11/22, 192.168.0.1, 1.2.3, 555-123-4567", []],
  ["10k, 3M, 1.2bn", []],
  ["共5个，价格是1,200元 และ42บาท", [5, 1200, 42]], // written without spaces: no names
  ["USD1,200, RM1,200.50 or Rs.1,200", []], // names: 200 is part of the word
  ["温度是-5度, データー1.5, 가격은1,200원, 5k元", [-5, 1.5, 1200]],
  ["1e400, forty-two, ٤٢", []],
])("of %j the numbers are %j", (text, numbers) => {
  expect(numbersIn(text)).toEqual(numbers);
});

test("every number in JavaScript notation is read", () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
      expect(numeric(`It is ${number}.`, number).score).toBe(1);
    }),
  );
});

test("every whole number is read in English and German notation", () => {
  fc.assert(
    fc.property(fc.integer(), (number) => {
      const written = ["en", "de", "hi", "fr", "de-CH"].map((locale) =>
        new Intl.NumberFormat(locale, { numberingSystem: "latn" }).format(number * 1000 + 0.5),
      );
      for (const text of written) expect(numbersIn(text)).toEqual([number * 1000 + 0.5]);
    }),
  );
});

test("without a tolerance numbers have to be equal", () => {
  expect(numeric("9007199254740994", 9007199254740992).score).toBe(0);
  expect(numeric("0.30000000000000004", 0.3).score).toBe(0);
  expect(numeric("0.30000000000000004", 0.3, { tolerance: 1e-9 }).score).toBe(1);
});

test("a miss lists the numbers of the answer", () => {
  expect(numeric("Of 40 orders 37 arrived.", 3).reason).toBe("the answer contains 40, 37, and not 3");
  expect(numeric("9.7 kg", 10, { tolerance: 0.25 }).reason).toBe("the answer contains 9.7, and not 10 ± 0.25");
  expect(numeric("none", 3).reason).toBe("the answer contains no number");
  const many = Array.from({ length: 12 }, (_, index) => index).join("; ");
  expect(numeric(many, 99).reason).toBe("the answer contains 0, 1, 2, 3, 4, 5, 6, 7, 8, 9 and 2 more, and not 99");
});

test.each(["thirty days", "10 to 20"])("the expected text %j is refused: it is not one number", (text) => {
  expect(() => numeric("10", text)).toThrow(ConfigError);
});

test.each([
  ["1", ",23", ""],
  ["1", ",111", "1"],
  ["1", "\u00a0111", "1"],
  ["1", ".111", ",x"],
  ["1", ".111", "1"],
])("a long row of what may be groups, %j%j…%j, is read in little time", (start, group, end) => {
  const before = performance.now();
  numbersIn(start + group.repeat(60_000) + end); // in quadratic time, one run of groups took 12 s
  expect(performance.now() - before).toBeLessThan(4000);
});

test("a long text is read quickly", () => {
  const before = performance.now();
  for (const part of ["1", "1,", "1.", "1:", "123,", "a-1", "1-"]) numbersIn(part.repeat(20_000));
  expect(performance.now() - before).toBeLessThan(2000);
});
