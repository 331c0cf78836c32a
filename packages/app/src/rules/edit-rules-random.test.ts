import { policyModeNames } from "@bridle/core";
import fc from "fast-check";
import { expect, test } from "vitest";
import { parse, parseDocument } from "yaml";
import { parseRules, replaceRules } from "./edit-rules.ts";
import type { Rules } from "./rule-schemas.ts";

/** The number of rounds: 2000 in the soak run. */
const numRuns = process.env.SOAK_FACTOR === undefined ? 100 : 2000;

const word = fc.constantFrom(
  "a",
  "refund",
  "no",
  "1",
  "a: b",
  "# c",
  "ä 🙂",
  "'x'",
  '"y"',
  "* z",
  " edges ",
  "two\nlines",
);
const tool = fc.constantFrom("refund", "lookup", "mail", "Read");
const decision = fc.constantFrom("allow", "ask", "deny");
const expression = fc.constantFrom("^a", "/^\\d{3,}$/", "#", ": ", "{", "\\s+'", '"', "- x", "x".repeat(120));
const rule = fc.record(
  {
    tool,
    when: fc.dictionary(fc.constantFrom("amount", "order.id", "yes"), expression, { minKeys: 1 }),
    then: decision,
  },
  { requiredKeys: ["tool", "then"] },
);
const rules: fc.Arbitrary<Rules> = fc.record(
  { mode: fc.constantFrom(...policyModeNames), rules: fc.array(rule, { maxLength: 5 }) },
  { requiredKeys: [] },
);

/** Lines of a file outside of its rules, in forms that the YAML library itself does not write. */
const entry = fc
  .tuple(
    word,
    fc.constantFrom(
      (text: string) => `:   ${JSON.stringify(text)} # beside\n`,
      (text: string) => `: {x:   ${JSON.stringify(text)},y: [1,2]}\n`,
      (text: string) => `:\n- ${JSON.stringify(text)}\n-   b\n`,
      (text: string) => `: >-\n      folded\n      ${text.trim().replaceAll("\n", " ")}\n\n`,
      (text: string) => `: |\n    # no comment\n      ${text.replaceAll("\n", " ")}\n`,
      (text: string) => `: &shared [${JSON.stringify(text)}]\n`,
      () => ":\n",
    ),
  )
  .map(
    ([text, write]) =>
      (name: string) =>
        name + write(text),
  );
const between = fc.constantFrom("", "\n", "# About this.\n", "\n\n#   Two\n\n# comments\n", "   # indented\n");
const entries = fc.array(fc.tuple(between, entry, between), { maxLength: 3 });

/** The rules in one of the notations that users write. */
const policy = fc.tuple(rules, fc.constantFrom("none", "flow", "wide", "json", "commented")).map(([content, form]) => {
  if (form === "none") return "";
  if (form === "json" || form === "flow") return `policy: ${JSON.stringify(content, null, form === "json" ? 1 : 0)}\n`;
  const { mode, rules: own = [] } = content;
  const [comment, indent] = form === "commented" ? [" # one", "  "] : ["", "     "];
  const lines = own.map((each) => {
    const above = comment && `${indent}# Of ${each.tool}.\n`;
    return `${above}${indent}- ${JSON.stringify(each)}${comment}\n`;
  });
  if (mode === undefined && lines.length === 0) return "policy:\n";
  const list = lines.length === 0 ? "" : `${indent}rules:${comment}\n${lines.join("")}`;
  return `policy:${comment}\n${mode === undefined ? "" : `${indent}mode:   ${mode}\n`}${list}`;
});

const file = fc
  .record({ before: entries, policy, after: entries, isWindows: fc.boolean(), isOpen: fc.boolean() })
  .map(({ before, policy: written, after, isWindows, isOpen }) => {
    const write = (all: typeof before, name: string) =>
      all.map(([above, each, below], at) => `${above}${each(`${name}${at}`)}${below}`).join("");
    const ends = (text: string) => (isWindows ? text.replaceAll("\n", "\r\n") : text);
    const parts = [write(before, "before"), written, write(after, "after")].map(ends);
    const last = parts.findLastIndex((part) => part !== "");
    return parts.map((part, at) => (isOpen && at === last ? part.replace(/(?:\r?\n)+$/, "") : part));
  });

test("after saving, a file says exactly the rules that were asked for, and all outside of them is byte for byte as it was", () => {
  fc.assert(
    fc.property(file, fc.option(rules), ([before = "", policyText = "", after = ""], asked) => {
      const text = before + policyText + after;
      const old: unknown = parse(text);
      const written = replaceRules(text, asked);
      expect(parseDocument(written).errors).toEqual([]);
      expect(parseRules(written) ?? null).toEqual(asked);
      const { policy: _, ...others } = (parse(written) ?? {}) as Record<string, unknown>;
      const { policy: __, ...othersBefore } = (old ?? {}) as Record<string, unknown>;
      expect(others).toEqual(othersBefore);
      if (policyText === "") expect(written.startsWith(text)).toBe(true);
      else expect(before + written.slice(before.length, written.length - after.length) + after).toBe(written);
    }),
    { numRuns },
  );
});
