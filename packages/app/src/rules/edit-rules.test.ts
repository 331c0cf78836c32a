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
