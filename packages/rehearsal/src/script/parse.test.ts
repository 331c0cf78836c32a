import { ConfigError } from "@bridle/protocol";
import fc from "fast-check";
import { expect, test } from "vitest";
import { stringify } from "yaml";
import { parseScript } from "./parse.ts";

const file = "orders.yaml";

function errorOf(text: string): ConfigError {
  try {
    parseScript(text, file);
  } catch (error) {
    if (error instanceof ConfigError) return error;
    throw error;
  }
  throw new Error("expected a ConfigError");
}

/** Returns the error for a script in which only this step, on line 4, is invalid. */
const messageOfStep = (step: string) => errorOf(`rehearsal: 1\nturns:\n  - steps:\n      - ${step}\n`).message;

test("a script has turns with labels, and numbered steps", () => {
  const text = `
rehearsal: 1
turns:
  - when: { user: refund, step: 2 }
    steps: [{ say: Hello }]
  - steps: [{ call: look, with: { id: 1 } }, { say: Done }]
`;
  const script = parseScript(text, file);
  expect(script.file).toBe(file);
  expect(script.turns.map(({ label }) => label)).toEqual(['turn 1 (when user "refund" and step 2)', "turn 2"]);
  expect(script.turns[1]?.steps.map(({ number }) => number)).toEqual([1, 2]);
});

test.each([
  ["", "the script is empty"],
  ["# only a comment", "the script is empty"],
  ["- a", "a script must be a mapping, but this is a list"],
  ["hello", "a script must be a mapping, but this is a string"],
  ["turns: []", "the script has no version"],
])("%j is refused with the beginning of a valid script", (text, reason) => {
  expect(errorOf(text).message).toBe(
    `orders.yaml:1:1: ${reason}. Begin the script with "rehearsal: 1" and a list of "turns".`,
  );
});

test("another version is refused before other checks", () => {
  const error = errorOf("rehearsal: 2\nscenes: []");
  expect(error.message).toBe('orders.yaml:1:12: version 2 is unknown. Write "rehearsal: 1", or update Bridle.');
  expect(error.field).toBe("rehearsal");
});

test("text that is not YAML is refused with its position", () => {
  const error = errorOf("rehearsal: 1\nturns: [");
  expect(error.message).toContain("not YAML: ");
  expect(error.position).toMatchObject({ file, line: 2 });
});

test.each(["*missing", "&loop [*loop]"])("the alias %s is refused, because it has no value", (value) => {
  expect(messageOfStep(`{ object: ${value} }`)).toMatch(
    /^orders.yaml: not YAML: .+ Write the value in place of the alias/,
  );
});

test("the error for an unknown key names the nearest known key, or all keys", () => {
  expect(messageOfStep("sya: Hello")).toBe('orders.yaml:4:9: unknown key "sya". Did you mean "say"?');
  expect(messageOfStep("{ say: a, usage: { tokens: 1 } }")).toBe(
    'orders.yaml:4:28: unknown key "tokens". Known here: input, output, reasoning, cache_read, cache_write.',
  );
});

test("one error names all problems in the order of the file, with the position of the first", () => {
  const error = errorOf("rehearsal: 1\nturns:\n  - wen: { user: a }\n    steps:\n      - { say: 5 }\n      - {}\n");
  expect(error.message.split("\n")).toEqual([
    'orders.yaml:3:5: unknown key "wen". Did you mean "when"?',
    'orders.yaml:5:16: "say" is a number, but must be a string.',
    "orders.yaml:6:9: the step does nothing. Add an answer (say, call, object, …) or a fault (status, reset, …).",
  ]);
  expect(error.position).toEqual({ file, line: 3, column: 5 });
  expect(error.field).toBe("turns[0].wen");
});

test.each([
  [
    "{ say: a, reset: true }",
    '4:16: "say" cannot be combined with "reset". A step either answers or fails: split it into two steps.',
  ],
  [
    "{ reset: true, status: 500 }",
    '4:32: "status" cannot be combined with "reset". A reset connection carries no answer: keep one.',
  ],
  ["{ cut: true, stall: true }", '4:16: "cut" cannot be combined with "stall". Keep one.'],
  ["{ call: a, with: 1, with_text: b }", '4:40: "with_text" cannot be combined with "with". Keep one.'],
  ["{ calls: [{ call: a, with: 1, with_text: b }] }", '4:50: "with_text" cannot be combined with "with". Keep one.'],
  ["{ say: a, times: 2, forever: true }", '4:26: "times" cannot be combined with "forever". Keep one.'],
  ["{ say: a, with: 1 }", '4:25: "with" needs "call". Add it.'],
  ["{ say: a, message: b }", '4:28: "message" needs "status". Add it.'],
  ["{ status: 200 }", '4:19: "status" is too small. The minimum is 400.'],
  ["{ status: 600 }", '4:19: "status" is too large. The maximum is 599.'],
  [
    "{ status: 429, limit: { resets_in_seconds: 1, status: no } }",
    '4:63: "status" must be one of allowed, allowed_warning, rejected.',
  ],
  ["{ calls: [] }", '4:18: "calls" is empty. Add a value.'],
  ["{ calls: [{ with: 1 }] }", '4:19: "call" is missing. Add it (string).'],
  ["{ say: }", '4:16: "say" is nothing, but must be a string.'],
  ["{ say: a, delay_ms: 1.5 }", '4:29: "delay_ms" is a number, but must be a whole number.'],
  ["{ say: a, headers: { a: [] } }", '4:33: "a" is a list, which is not allowed here.'],
])("the step %s is refused", (step, message) => {
  expect(messageOfStep(step)).toBe(`orders.yaml:${message}`);
});

test("a step that can never be reached is refused", () => {
  expect(messageOfStep("{ say: a, forever: true }\n      - say: b")).toBe(
    'orders.yaml:5:9: never reached, because the step before it repeats without end. Move it up, or use "times".',
  );
  const second =
    "rehearsal: 1\nturns:\n  - when: { step: 2 }\n    steps:\n      - status: 500\n      - say: a\n      - say: b";
  expect(errorOf(second).message).toBe(
    'orders.yaml:7:9: never reached, because "when: { step }" is true for only one answer. Remove the step or the condition.',
  );
});

test("an invalid regular expression is refused with a reason", () => {
  expect(errorOf("rehearsal: 1\nturns:\n  - when: { user: /(/ }\n    steps: [{ say: a }]").message).toBe(
    "orders.yaml:3:19: Invalid regular expression: /(/: Unterminated group. Correct the expression between the slashes.",
  );
});

test("a script without turns, and a turn without steps, are refused", () => {
  expect(errorOf("rehearsal: 1").message).toBe('orders.yaml:1:1: "turns" is missing. Add it (array).');
  expect(errorOf("rehearsal: 1\nturns: []").message).toBe('orders.yaml:2:8: "turns" is empty. Add a value.');
  expect(errorOf("rehearsal: 1\nturns:\n  - steps: []").message).toContain('"steps" is empty.');
});

test("every text survives YAML", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", minLength: 1 }), (say) => {
      const script = parseScript(stringify({ rehearsal: 1, turns: [{ steps: [{ say }] }] }));
      expect(script.turns[0]?.steps[0]?.act).toMatchObject({ content: { say } });
    }),
  );
});

test("the parser fails only with a ConfigError, whatever the text", () => {
  const words = fc.constantFrom(
    "rehearsal: 1",
    "turns:",
    "- ",
    "  ",
    "\n",
    "{",
    "}",
    "[",
    "]",
    "say",
    ": ",
    "*a",
    "&a ",
    "!!x ",
    "<<",
    "when",
    "steps",
    "'",
  );
  fc.assert(
    fc.property(fc.array(words, { maxLength: 25 }), (parts) => {
      try {
        parseScript(parts.join(""));
      } catch (error) {
        expect(error).toBeInstanceOf(ConfigError);
      }
    }),
    { numRuns: 500 },
  );
});
