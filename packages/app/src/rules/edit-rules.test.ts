import { expect, test } from "vitest";
import { parse } from "yaml";
import { parseRules, replaceRules } from "./edit-rules.ts";

const text = `# The shop.
llm: { provider: {backend: openai}, models: { default: m } }
policy:
  mode: normal # asks
  disable: [old_tool]
  rules:
    - { tool: refund, when: { amount: "/^\\\\d{3,}$/" }, then: deny } # the office decides
    - {tool: lookup, then: allow}
    # Letters.
    - tool: 'mail'
      then: "ask"
context: { connections: { shop: {type: sqlite, file: shop.db} } }
`;
const rulesOf = (written: string) => parseRules(written) ?? {};
const lines = (written: string) => written.split("\n");

test("saving the rules as they are leaves the file as it is", () => {
  expect(replaceRules(text, rulesOf(text))).toBe(text);
});

test("a changed rule keeps its form and its comments, and the lines of others stay as they are", () => {
  const rules = rulesOf(text);
  const changed = (rules.rules ?? []).map((rule, at) => (at === 0 ? { ...rule, then: "ask" as const } : rule));
  const written = replaceRules(text, { ...rules, rules: changed });
  expect(lines(written).filter((line, at) => line !== lines(text)[at])).toEqual([
    '    - { tool: refund, when: { amount: "/^\\\\d{3,}$/" }, then: ask } # the office decides',
  ]);
});

test("a rule that is added, moved or removed changes no other line", () => {
  const rules = rulesOf(text);
  const [refund, lookup, mail] = rules.rules ?? [];
  const added = { tool: "new", then: "deny" as const };
  const kept = [mail, added, refund].flatMap((rule) => rule ?? []);
  const written = replaceRules(text, { ...rules, rules: kept });
  expect(parse(written).policy.rules).toEqual(kept);
  expect(written).toContain(
    '    - { tool: refund, when: { amount: "/^\\\\d{3,}$/" }, then: deny } # the office decides\n',
  );
  expect(written).toContain("    # Letters.\n    - tool: 'mail'\n      then: \"ask\"\n");
  expect(written).toContain("context: { connections: { shop: {type: sqlite, file: shop.db} } }\n");
  expect(written).not.toContain(`{tool: ${lookup?.tool}`);
});

test("rules that refer to each other, and files with the line ends of Windows, are saved with the same meaning", () => {
  const referring =
    "policy:\r\n  rules:\r\n    - &one { tool: a, then: ask }\r\n    - *one\r\n    - { tool: b, then: deny }\r\n";
  const rules = rulesOf(referring);
  const written = replaceRules(referring, { ...rules, rules: (rules.rules ?? []).slice(0, 2) });
  expect(parse(written).policy.rules).toEqual([
    { tool: "a", then: "ask" },
    { tool: "a", then: "ask" },
  ]);
  expect(written).toMatch(/\r\n$/);
  expect(written).not.toMatch(/[^\r]\n/);
});

test("rules are removed, and written where there were none", () => {
  expect(replaceRules("a: [1]\n", { mode: "ask" })).toBe("a: [1]\npolicy:\n  mode: ask\n");
  expect(replaceRules("a: [1]\npolicy:\n  mode: ask\n", null)).toBe("a: [1]\n");
  expect(replaceRules(undefined, { rules: [{ tool: "a", then: "ask" }] })).toBe(
    "policy:\n  rules:\n    - tool: a\n      then: ask\n",
  );
});

test("a changed rule changes no other that refers to a part of it, and a removed one leaves what refers to it", () => {
  const referring = `policy:
  disable: &off [old]
  rules:
    - { tool: a, when: &large { amount: "/9/" }, then: ask }
    - { tool: b, when: *large, then: deny }
other: *off
`;
  const [first, second] = rulesOf(referring).rules ?? [];
  if (!first || !second) throw new Error("two rules");
  const others = [[{ ...first, when: { amount: "/1/" } }, second], [second, first], [second]];
  for (const rules of others) {
    const written = parse(replaceRules(referring, { disable: ["old", "new"], rules }));
    expect(written).toEqual({ policy: { disable: ["old", "new"], rules }, other: ["old"] });
  }
  expect(replaceRules(referring, rulesOf(referring))).toBe(referring);
});

test("comments in a file with the line ends of Windows keep them", () => {
  const commented = "policy: # one\r\n  # two\r\n  rules:\r\n    - tool: a # three\r\n      then: ask\r\n";
  const written = replaceRules(commented, { rules: [{ tool: "a", then: "deny" }] });
  expect(written.replaceAll("\r\n", "\n")).not.toContain("\r");
  expect(written.match(/# \w+/g)).toEqual(["# one", "# two", "# three"]);
});

test("a condition that is taken away goes, whatever its name", () => {
  const conditional = "policy:\n  rules:\n    - { tool: a, when: { constructor: x, amount: y }, then: ask }\n";
  const rules = [{ tool: "a", when: { amount: "y" }, then: "ask" as const }];
  expect(parse(replaceRules(conditional, { rules })).policy.rules).toEqual(rules);
});

test("the comment of a removed rule does not pass to another one, and one that changes beside a removed one keeps its own", () => {
  const commented = `policy:
  rules:
    - { tool: refund, then: deny } # the office decides
    - tool: lookup # harmless
      then: allow
`;
  const [refund, lookup] = rulesOf(commented).rules ?? [];
  if (!refund || !lookup) throw new Error("two rules");
  const mail = { tool: "mail", then: "allow" as const };
  expect(replaceRules(commented, { rules: [lookup, mail] })).not.toContain("the office decides");
  const changed = { rules: [{ ...lookup, then: "ask" as const }] };
  expect(replaceRules(commented, changed)).toBe("policy:\n  rules:\n    - tool: lookup # harmless\n      then: ask\n");
});

/** Texts that would be written in another form if the whole file were rewritten. */
const above = `# A heading.


llm:    {provider:   {backend: openai}}
note: >
    folded text
    of two lines
list:
- 'one'
-   two

# About the rules.
`;
const below = `
# After the rules.
long: "a text \\
  on two lines"
`;
const asks = { mode: "ask" as const };

test.each([
  ["between others", above, "policy:\n  mode: normal # asks\n", below],
  ["first", "", "policy:\n  mode: normal\n", below],
  ["last", above, "policy:\n  mode: normal\n", ""],
  ["last, without an end of its line", above, "policy:\n  mode: normal", ""],
  ["as one line", above, "policy: {mode: normal}\n", below],
  ["after a line that begins the document", "---\na:   1\n", "policy:\n  mode: normal\n", `${below}...\n`],
  ["with the line ends of Windows", above.replaceAll("\n", "\r\n"), "policy:\r\n  mode: normal\r\n", "b:   1\r\n"],
  ["with line ends of both kinds", above, "policy:\r\n  mode: normal\r\n", "b:   1\nc:   2"],
])("all before and after the rules stays byte for byte if they are %s", (_, before, policy, after) => {
  const text = before + policy + after;
  const changed = replaceRules(text, asks);
  const removed = replaceRules(text, null);
  expect([changed.startsWith(before), changed.endsWith(after)]).toEqual([true, true]);
  expect(parse(changed)).toEqual({ ...parse(text), policy: asks });
  expect(changed.slice(before.length).trim()).toMatch(/^policy:\s+(?:\{ ?)?mode: ask/);
  expect(changed.endsWith("\n")).toBe(text.endsWith("\n"));
  expect(removed.replace("{}\n", "")).toBe(before + after);
});

test("rules of a file that has none are written after all else, or at the key that has nothing", () => {
  const written = "policy:\n  mode: ask\n";
  expect(replaceRules(above + below, asks)).toBe(above + below + written);
  expect(replaceRules("a:   1", asks)).toBe(`a:   1\n${written}`);
  expect(replaceRules("a:   1\r\nb:   2", asks)).toBe("a:   1\r\nb:   2\r\npolicy:\r\n  mode: ask\r\n");
  expect(replaceRules(`${above}policy:\n${below}`, asks)).toBe(`${above}${written}${below}`);
  expect(replaceRules("# Nothing yet.\n", asks)).toBe(`# Nothing yet.\n${written}`);
});

test("a file whose rules have no lines of their own is written whole, and one of several documents is refused", () => {
  expect(parse(replaceRules("{ a: 1, policy: { mode: normal }, b: 2 }\n", asks))).toEqual({ a: 1, policy: asks, b: 2 });
  expect(parse(replaceRules("? policy\n: mode: normal\n", asks))).toEqual({ policy: asks });
  expect(() => replaceRules("policy:\n  mode: normal\n---\nb: 1\n", asks)).toThrow("is not valid YAML");
});

test("a text that refers to the rules stays as it is while they say what it repeats", () => {
  const text = "a:   1\npolicy:\n  disable: &off [old]\n  mode: normal\nb:   *off\n";
  expect(replaceRules(text, { disable: ["old"], ...asks })).toBe(text.replace("normal", "ask"));
  const other = replaceRules(text, { disable: ["old", "new"] });
  expect(parse(other)).toEqual({ a: 1, policy: { disable: ["old", "new"] }, b: ["old"] });
});

test("a comment directly above the first rule goes with that rule, and others above it stay", () => {
  const first = "    # The office decides.\n    - tool: refund\n      then: deny\n";
  const second = "    # Harmless.\n    - tool: lookup\n      then: allow\n";
  const head = "policy: # one\n  rules: # two\n    # All rules.\n\n";
  const commented = head + first + second;
  const [refund, lookup] = rulesOf(commented).rules ?? [];
  if (!refund || !lookup) throw new Error("two rules");
  expect(replaceRules(commented, { rules: [lookup] })).not.toContain("office");
  expect(replaceRules(commented, { rules: [lookup] })).toContain("# All rules.\n");
  expect(replaceRules(`policy:\n  rules:\n${first}${second}`, { rules: [lookup, refund] })).toBe(
    `policy:\n  rules:\n${second}${first}`,
  );
  expect(replaceRules(commented, { ...asks, rules: [refund, lookup] })).toBe(`${commented}  mode: ask\n`);
});
