import { expect, test } from "vitest";
import { chooseCases, namedCases } from "./choose-cases.ts";

const agent = (...names: (string | undefined)[]) => ({
  file: "agent.yaml",
  config: {
    name: "desk",
    instructions: { inline: "Be kind." },
    test_cases: names.map((name) => ({ input: "Hi", ...(name !== undefined && { name }) })),
  },
});
const namesOf = (cases: readonly { name: string }[]) => cases.map(({ name }) => name);

test("cases keep the order of the file, and unnamed ones are named by position", () => {
  expect(namesOf(chooseCases(agent("status", undefined, "refund")))).toEqual(["status", "case 2", "refund"]);
});

test("a generated name differs from all written ones", () => {
  expect(namesOf(namedCases(agent(undefined, "case 1")))).toEqual(["case 1'", "case 1"]);
});

test("chosen cases come in the order of the file, once each", () => {
  const chosen = chooseCases(agent("a", undefined, "c"), ["c", "case 2", "c"]);
  expect(namesOf(chosen)).toEqual(["case 2", "c"]);
});

test("an unknown name is refused with the nearest, or with the existing ones", () => {
  expect(() => chooseCases(agent("order status", "refund"), ["order statsu"])).toThrow(
    'agent.yaml has no test case "order statsu". Did you mean "order status"?',
  );
  expect(() => chooseCases(agent("a", "b"), ["something else"])).toThrow(
    'agent.yaml has no test case "something else". There are "a", "b".',
  );
});

test("an agent without cases and an empty choice are refused", () => {
  expect(() => chooseCases(agent())).toThrow(
    "agent.yaml has no test cases, so nothing can be tested. Write some in test_cases.",
  );
  expect(() => chooseCases(agent("a"), [])).toThrow("No test case is chosen.");
});
