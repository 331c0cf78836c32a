import { expect, test } from "vitest";
import { z } from "zod";
import { defineCommand } from "./command.ts";
import { parseArguments } from "./parse-arguments.ts";

const command = defineCommand({
  description: "Tests.",
  flags: {
    case: {
      flag: "--case <name>",
      description: "only this one",
      value: z.array(z.string().min(1)),
      expected: "the name of a case",
      isRepeated: true,
    },
    last: { flag: "--last <n>", description: "how many", value: z.coerce.number(), expected: "a number" },
  },
  examples: [],
  run: async () => 0,
});
const parse = (...words: string[]) => parseArguments({ name: "test" }, command, words);

test("a flag that may be repeated becomes a list of its values, in order", () => {
  expect(parse("--case", "b", "--last", "3", "--case=a")).toMatchObject({ flags: { case: ["b", "a"], last: 3 } });
  expect(parse("--case", "b")).toMatchObject({ flags: { case: ["b"] } });
  expect(parse()).toMatchObject({ flags: {} });
});

test("the error for a repeated flag quotes the invalid value", () => {
  expect(() => parse("--case", "a", "--case", "")).toThrow('--case: expected the name of a case, got "".');
});

test("the last value counts if a flag may not be repeated", () => {
  expect(parse("--last", "3", "--last", "4")).toMatchObject({ flags: { last: 4 } });
});
