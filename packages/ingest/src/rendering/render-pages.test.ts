import { findPageLinks, formatPage, maxPageChars, parsePage, splitBlocks } from "@bridle/context";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Claim } from "../claims/claim.ts";
import { statementKinds } from "../sources/candidate.ts";
import { claimOf, contested } from "./claims-for-tests.ts";
import { renderPages } from "./render-pages.ts";

const texts = (claims: readonly Claim[]) =>
  new Map(
    renderPages(claims).map(({ slug, front, blocks }) => [
      slug,
      formatPage({ front, body: blocks.map(({ text }) => text).join("\n\n") }),
    ]),
  );

const gross = claimOf(
  "Gross fare is the sum of fares.amount_cents, before refunds.",
  { subject: "gross fare", topic: "fares", tables: ["w.main.fares"] },
  {
    from: [
      {
        item: "metrics/fares.md",
        title: "Fare metrics",
        updatedAt: "2026-01-12T08:00:00Z",
        location: "https://notion.example/fares",
      },
      { item: "faq.md", title: "FAQ", updatedAt: undefined },
    ],
  },
);
const cents = claimOf("All amounts are in cents.", { subject: "amounts", topic: "fares", category: "unit" });

test("a page has its facts by subject with marks, and its front matter with tables, links and sources", () => {
  const refund = claimOf("A refund lowers the net fare of all fares.", { subject: "refund", topic: "Refunds" });
  const measure: Claim = {
    ...gross,
    id: "m",
    body: { kind: "model-part", model: "trips", table: "w.main.trips", part: "measure", name: "gross_fare", entry: {} },
  };
  const pages = texts([gross, cents, refund, measure]);
  expect(pages.get("fares")).toBe(`---
title: Fares
summary: amounts; gross fare
topics:
  - fares
tables:
  - w.main.fares
metrics:
  - trips.gross_fare
refs:
  - refunds
sources:
  - source: notion
    item: All amounts are in c.md
    title: A page
    updated: 2026-03-01
  - source: notion
    item: metrics/fares.md
    title: Fare metrics
    updated: 2026-01-12
    location: https://notion.example/fares
  - source: notion
    item: faq.md
    title: FAQ
---

## Amounts

All amounts are in cents. [1]

## Gross fare

Gross fare is the sum of fares.amount_cents, before refunds. [2][3]

See also: [[refunds]]
`);
  expect(pages.get("refunds")).toContain("See also: [[fares]]\n");
  expect(pages.get("refunds")).toContain("refs:\n  - fares\n");
});

test("other wordings are shown if they add a word, with the documents that say so", () => {
  const claim = claimOf(
    "Gross fare is before refunds.",
    { subject: "gross fare", topic: "fares" },
    {
      from: [
        { item: "a.md", wording: "Gross fare is before refunds." },
        { item: "b.md", wording: "Before refunds: the gross fare." },
        { item: "c.md", wording: "Gross fare is before refunds and vouchers." },
      ],
    },
  );
  expect(texts([claim]).get("fares")).toContain(
    "Gross fare is before refunds. [1][2] Also: Gross fare is before refunds and vouchers. [3]\n",
  );
});

test("contested claims stand under Disputed on the pages of both, and superseded ones under Earlier", () => {
  const both = contested(
    claimOf("Retention is a share of riders.", { subject: "retention", topic: "growth" }, { from: [{ item: "a.md" }] }),
    claimOf("Retention is a share of passes.", { subject: "retention", topic: "finance" }),
  );
  const old = claimOf(
    "The fiscal year starts in January.",
    { subject: "fiscal year", topic: "finance" },
    { status: "superseded", until: "2026-03-01" },
  );
  const gone = claimOf("The office is in Rome.", { subject: "office", topic: "finance" }, { status: "removed" });
  const pages = texts([...both, old, gone]);
  for (const slug of ["growth", "finance"]) {
    expect(pages.get(slug)).toMatch(
      /## Disputed\n\nSources disagree about retention, and nothing decides between them:\n\nRetention .*\[1\]\n\nRetention .*\[2\]/,
    );
    expect(pages.get(slug)).toMatch(/share of riders[\s\S]*share of passes|share of passes[\s\S]*share of riders/);
  }
  expect(pages.get("finance")).toMatch(
    /## Earlier\n\nThese statements were replaced\. Do not use them\.\n\nUntil 2026-03-01: The fiscal year starts in January\. \[3\]/,
  );
  expect(pages.get("finance")).not.toContain("Rome");
});

test("a subject that is called like a section is no section", () => {
  expect(texts([claimOf("Disputed fares are refunded.", { subject: "Disputed", topic: "x" })]).get("x")).toContain(
    "## About Disputed\n",
  );
});

const word = fc.string({ unit: fc.constantFrom(..."abcdefghijklmnop"), minLength: 2, maxLength: 9 });
const claims = fc
  .uniqueArray(
    fc.record({
      words: fc.array(word, { minLength: 3, maxLength: 60 }),
      subject: fc.array(word, { minLength: 1, maxLength: 3 }),
      topic: fc.constantFrom("fares", "docks", "Dock care"),
      category: fc.constantFrom(...statementKinds),
      status: fc.constantFrom("current", "superseded", "removed"),
      updatedAt: fc.constantFrom("2026-01-01", undefined),
    }),
    { minLength: 1, maxLength: 40, selector: ({ words }) => words.join(" ") },
  )
  .map((rows) =>
    rows.map(({ words, subject, topic, category, status, updatedAt }) =>
      claimOf(
        `${words.join(" ").slice(0, 590)}.`,
        { subject: subject.join(" "), topic, category },
        { status: status as Claim["status"], from: [{ updatedAt, item: `${words[0]}.md` }] },
      ),
    ),
  );

describe("for random claims", () => {
  test("the same claims in any order give the same bytes", () => {
    fc.assert(
      fc.property(
        claims.chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray([...all], { minLength: all.length }))),
        ([all, shuffled]) => {
          expect(texts(shuffled)).toEqual(texts(all));
        },
      ),
    );
  });

  test("each claim that holds is on a page, pages are short enough, and links lead to pages", () => {
    fc.assert(
      fc.property(claims, (all) => {
        const pages = renderPages(all);
        const slugs = new Set(pages.map(({ slug }) => slug));
        expect(slugs.size).toBe(pages.length);
        const shown = new Set(pages.flatMap((page) => page.claims));
        for (const { id, status } of all) expect(shown.has(id)).toBe(status !== "removed");
        for (const { front, blocks } of pages) {
          const page = parsePage(formatPage({ front, body: blocks.map(({ text }) => text).join("\n\n") }), "p.md");
          expect(page.problems).toEqual([]);
          expect(page.body.trim().length).toBeLessThanOrEqual(maxPageChars);
          for (const { slug } of findPageLinks(page.body)) expect(slugs).toContain(slug);
        }
      }),
      { numRuns: 60 },
    );
  });
});

test("one new claim changes only its page, also in a topic of hundreds of claims", () => {
  const many = Array.from({ length: 400 }, (_, n) =>
    claimOf(`Rule ${n} says that zone ${n * 7} has ${n + 2} docks at most.`, {
      subject: `zone rule ${n}`,
      topic: n % 2 ? "docks" : "fares",
    }),
  );
  const before = texts(many);
  expect(before.size).toBeGreaterThan(10);
  const reachable = new Set(["docks", "fares"]);
  for (const slug of reachable) for (const { slug: next } of findPageLinks(before.get(slug) ?? "")) reachable.add(next);
  expect([...before.keys()].filter((slug) => !reachable.has(slug))).toEqual([]);
  let changes = 0;
  for (const n of [3, 77, 200, 311]) {
    const after = texts([
      ...many,
      claimOf(`Rule ${n} has an exception at night.`, { subject: `zone rule ${n}`, topic: n % 2 ? "docks" : "fares" }),
    ]);
    changes += [...after].filter(([slug, text]) => before.get(slug) !== text).length;
  }
  expect(changes).toBe(4);
});

describe("hostile texts", () => {
  const pieces = [
    "---",
    "\n---\n",
    "[[fares]]",
    "[1]",
    "\\[2]",
    "[x](http://a.example)",
    "![x](y)",
    "<script>",
    "</p>",
    "<!--",
    "-->",
    "&#91;",
    "&lt;",
    "# ",
    "\n## Gross fare",
    "> ",
    "- ",
    "1. ",
    "1) ",
    "```",
    "~~~",
    "| a | b |",
    "\n|--|--|",
    "===",
    "***",
    "`",
    "\\",
    "\t",
    "    code",
    "\u202e",
    "\u200b",
    "\u0000",
    "\u001b[31m",
    "\r\n",
    "\u2028",
    "title: x",
    "sources:\n",
    "{",
    "}",
    "'",
    '"',
    ": ",
    "#",
    "@",
    "%",
    "x".repeat(100),
    "é",
    "停",
    "a b",
  ];
  const hostile = fc
    .array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 8 })
    .map((parts) => parts.join("").slice(0, 590) || "x");
  const short = hostile.map((text) => text.slice(0, 78));
  const harmless = claimOf(
    "Docks are counted at noon.",
    { subject: "docks", topic: "fares" },
    { from: [{ item: "docks.md" }] },
  );

  test("stay in their paragraph, and forge no link, mark, claim, source or front matter", () => {
    fc.assert(
      fc.property(hostile, short, short, hostile, (statement, subject, topic, title) => {
        const claim = claimOf(
          statement,
          { subject, topic },
          { page: "fares", from: [{ item: "evil.md", title, source: "notion", location: title }] },
        );
        const [page, ...others] = renderPages([claim, harmless]);
        if (page === undefined) throw new Error("There is a page.");
        expect(others).toEqual([]);
        const text = formatPage({ front: page.front, body: page.blocks.map((block) => block.text).join("\n\n") });
        const parsed = parsePage(text, "p.md");
        expect(parsed.problems).toEqual([]);
        expect(Object.keys(parsed.front)).toEqual(["title", "summary", "topics", "sources"]);
        expect(parsed.front.sources?.map(({ item }) => item).sort()).toEqual(["docks.md", "evil.md"]);
        expect(splitBlocks(parsed.body).map((block) => block.text)).toEqual(page.blocks.map((block) => block.text));
        expect(findPageLinks(parsed.body)).toEqual([]);
        const marks = parsed.body.match(/(?<!\\)(?:\\\\)*\[\d+\]/g) ?? [];
        expect(marks).toHaveLength(2);
        expect(parsed.body).not.toMatch(/(?<!\\)(?:\\\\)*[<](?=[a-z/!?])/i);
        expect(parsed.body).not.toMatch(/[^\P{C}\n]|[\p{Zl}\p{Zp}]/u);
        expect(
          parsed.body
            .split("\n")
            .filter((line) =>
              /^ {0,3}(?:#{1,6}(?:\s|$)|>|[-+*](?:\s|$)|\d+[.)](?:\s|$)|```|~~~|\||[=-]+\s*$)/.test(line),
            )
            .every((line) => line.startsWith("## ")),
        ).toBe(true);
      }),
      { numRuns: 400 },
    );
  });

  test("identifiers, products and signs stay as they are, so that a search finds them", () => {
    const plain = "sensor_id of docks is 1.8 × the *base* of w.main.docks, if a < b & c > 2 (50 %).";
    expect(texts([claimOf(plain, { topic: "x" })]).get("x")).toContain(`${plain} [1]`);
  });
});
