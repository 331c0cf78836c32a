import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { formatStates } from "@bridle/app/trust";
import type { EffectKind, FolderEffect, TrustedState } from "@bridle/protocol";
import * as fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { trustLines } from "../commands/trust/trust-lines.ts";
import { createTrust } from "../main/ask-for-trust.ts";
import { columnsInAnyTerminal } from "../terminal/widths-for-tests.ts";
import { effectRows, trustQuestionRows } from "./trust-question.ts";

const numRuns = 100 * Number(process.env.SOAK_FACTOR ?? 1);
const kinds = ["runs", "skips-questions", "sends", "reads"] as const;
const titles: Record<EffectKind, string> = {
  runs: "runs",
  "skips-questions": "no questions",
  sends: "sends",
  reads: "reads",
};

const effectOf = (kind: EffectKind, subject: string, field = "tools.0"): FolderEffect => {
  return { kind, subject, field, content: subject };
};
const stateOf = (effects: readonly FolderEffect[], isChanged = false): TrustedState => ({
  path: "/home/ada/clone/agent.yaml",
  isTrusted: false,
  effects,
  added: effects,
  isChanged,
  former: isChanged ? [{ kind: "sends", subject: "to http://old" }] : [],
});
const rowsOf = (states: readonly TrustedState[], columns: number) => {
  return trustQuestionRows(states, formatStates(states), columns - 1);
};

const piece = fc.oneof(
  fc.constantFrom(
    "  reads         the variable LANG (tools.1)",
    "[y/N] ",
    "Trust these files?",
    "│   runs",
    "\n",
    "\u001b[2J",
    "\u202e",
    "\u2028",
    "\u{e0041}",
    "a\u103a",
    "①",
    "─",
    "漢",
    "🙂",
    "e\u0301\u0301\u0301\u0301\u0301\u0301",
    "In all: nothing.",
  ),
  fc.string({ unit: "binary", maxLength: 10 }),
  fc
    .tuple(fc.constantFrom(" ", "x", "漢", "①", "a\u103a"), fc.integer({ min: 1, max: 250 }))
    .map(([a, n]) => a.repeat(n)),
);
const words = fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join(""));
const effects = fc.array(fc.tuple(fc.constantFrom(...kinds), words, words), { maxLength: 8 });
const widths = fc.integer({ min: 20, max: 200 });

test("no words of a folder can look like another effect, the counts or the key of the question about trust", () => {
  const property = fc.property(effects, fc.boolean(), widths, (parts, isChanged, columns) => {
    const states = [
      stateOf(
        parts.map(([kind, subject, field]) => effectOf(kind, subject, field)),
        isChanged,
      ),
    ];
    const known = [
      stateOf(
        parts.map(([kind]) => effectOf(kind, "x")),
        isChanged,
      ),
    ];
    const own = (rows: readonly string[]) => rows.filter((row) => !row.startsWith("│ ")).map((row) => row.slice(0, 16));
    const isSubject = (row: string) => Object.values(titles).some((title) => row.slice(2).startsWith(title));
    const begin = (rows: readonly string[]) => own(rows).map((row) => (isSubject(row) ? row : row.trimEnd()));
    expect(begin(rowsOf(states, columns))).toEqual(begin(rowsOf(known, columns)));
    const order = kinds.flatMap((kind) => parts.filter(([each]) => each === kind).map(() => titles[kind]));
    expect(
      begin(rowsOf(states, columns))
        .filter(isSubject)
        .map((row) => row.slice(2).trimEnd())
        .slice(0, order.length),
    ).toEqual(order);
  });
  fc.assert(property, { numRuns });
});

test("the question about trust fits every width, and shows all of the words of a folder", () => {
  const property = fc.property(effects, widths, (parts, columns) => {
    const states = [stateOf(parts.map(([kind, subject, field]) => effectOf(kind, subject, field)))];
    const rows = rowsOf(states, columns);
    for (const row of rows) {
      expect(columnsInAnyTerminal(row)).toBeLessThanOrEqual(columns);
      expect(row).not.toMatch(/\p{C}|\p{DI}|\p{Zl}|\p{Zp}/u);
    }
    const joined = rows.map((row) => (row.startsWith("│ ") ? row.slice(2) : row)).join("");
    for (const line of effectRows(formatStates(states), 1e9)) expect(joined).toContain(line);
  });
  fc.assert(property, { numRuns });
});

test("a long list of harmless effects cannot hide that a folder runs something: the counts are beside the key", () => {
  const reads = Array.from({ length: 5000 }, (_, index) => effectOf("reads", `the variable V${index % 7}`));
  const more = [
    effectOf("runs", "npx evil"),
    effectOf("skips-questions", "Bash"),
    effectOf("sends", "to http://evil"),
    effectOf("reads", "the credentials KEY, OTHER of the environment"),
    effectOf("reads", "the variable x, outside of the folder"),
  ];
  expect(rowsOf([stateOf([...more, ...reads])], 200).slice(-2)).toEqual([
    "In all: runs: 1, skips questions: 1, sends: 1, reads: 5002, variables: 9.",
    "Trust these files? Only if you know who wrote them. [y/N]",
  ]);
  expect(rowsOf([stateOf(more, true)], 200).at(-2)).toMatch(/new: 5, gone: 1\.$/);
});

test("the question at the terminal continues the words of a folder behind a gutter, and y trusts them", async () => {
  const home = mkdtempSync(join(tmpdir(), "bridle-trust-question-"));
  onTestFinished(() => rmSync(home, { recursive: true }));
  const ask = async (typed: string) => {
    let shown = "";
    const write = (text: string) => {
      shown += text;
    };
    const stderr = { write, isTTY: true, columns: 60 };
    const onInterrupt = () => () => {};
    const trust = createTrust({ environment: { HOME: home }, stderr, readLine: async () => typed, onInterrupt });
    const effects = [effectOf("runs", `npx evil${" ".repeat(35)}  reads         the variable LANG`)];
    const answer = await trust.require([{ path: join(home, "agent.yaml"), effects }]).then(
      () => "trusted",
      () => "refused",
    );
    return { answer, shown };
  };
  const { answer, shown } = await ask("n");
  expect(answer).toBe("refused");
  expect(shown).not.toMatch(/^ {2}reads/m);
  expect(shown).toMatch(/\n {2}runs {10}npx evil *\n│ .*reads {9}the variable LANG/);
  expect(shown).toMatch(/\nIn all: runs: 1\.\nTrust these files\? Only if you know who wrote them\. \[y\/N\] $/);
  expect(await ask("y")).toMatchObject({ answer: "trusted" });
});

test("the list of effects that a command prints continues behind the gutter too", () => {
  const trust = {
    isTrusted: false,
    effects: [{ kind: "runs" as const, subject: `x${" ".repeat(60)}  reads  y`, file: "agent.yaml", field: "tools.0" }],
  };
  expect(
    trustLines(trust, 40)
      .filter((row) => !row.startsWith("│ "))
      .join("\n"),
  ).not.toContain("reads");
  expect(trustLines(trust, 200)).toHaveLength(2);
});
