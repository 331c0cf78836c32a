import { parsePage } from "@bridle/context";
import { describe, expect, test } from "vitest";
import type { Claim } from "../claims/claim.ts";
import { claimOf } from "./claims-for-tests.ts";
import { type MergedPage, mergePage } from "./merge-page.ts";
import { renderPages } from "./render-pages.ts";
import type { WrittenEntries } from "./written-record.ts";

const file = "context/wiki/fares.md";
const fact = (statement: string, subject: string, item = `${subject}.md`) =>
  claimOf(statement, { subject, topic: "fares" }, { from: [{ item }] });
const amounts = fact("All amounts are in cents.", "amounts");
const gross = fact("Gross fare is before refunds and vouchers.", "gross fare");
const late = fact("A late return costs 25 euro.", "late return");
const facts = [amounts, gross, late];

function merge(
  claims: readonly Claim[],
  text: string | undefined,
  written: WrittenEntries = new Map(),
  mayBeRemoved = true,
): MergedPage {
  const rendered = renderPages(claims).find(({ key }) => key === "fares");
  const present = text === undefined ? undefined : { ...parsePage(text, file), text };
  return mergePage({ file, rendered, present, written, mayBeRemoved });
}

/** Writes claims, lets a user edit the file, and writes other claims. */
function edited(edit: (text: string) => string, after: readonly Claim[] = facts, before: readonly Claim[] = facts) {
  const first = merge(before, undefined);
  const text = edit(first.text ?? "");
  const next = merge(after, text, first.written);
  return { first: first.text ?? "", edited: text, next, text: next.text ?? "" };
}

test("nothing changes if neither claims nor file have changed, also in a clone that knows nothing", () => {
  const { first, next } = edited((text) => text);
  expect(next).toMatchObject({ text: first, removed: [], isOnlyPersons: false });
  expect(merge(facts, first).text).toBe(first);
});

test("a new claim is added, a changed one replaced, and one without a source removed with its heading", () => {
  const { text } = edited(
    (each) => each,
    [amounts, fact("A late return costs 30 euro.", "late return"), fact("A pass costs 29 euro.", "pass")],
  );
  expect(text).toContain(
    "## Late return\n\nA late return costs 30 euro. [2]\n\n## Pass\n\nA pass costs 29 euro. [3]\n",
  );
  expect(text).not.toMatch(/25 euro|Gross fare/);
  expect(parsePage(text, file).front.sources?.map(({ item }) => item)).toEqual([
    "amounts.md",
    "late return.md",
    "pass.md",
  ]);
});

test("two disputes about one subject stay two, with an introduction each", () => {
  const disputed = (statement: string, item: string, rival: Claim | undefined): Claim => ({
    ...fact(statement, "south pier", item),
    status: "contested",
    conflicts: rival === undefined ? [] : [rival.id],
  });
  const pairs = [
    ["The south pier closes at 7.", "The south pier closes at 8."],
    ["Ann looks after the south pier.", "Bob looks after the south pier."],
  ];
  const claims = pairs.flatMap(([a = "", b = ""]) => {
    const first = disputed(a, "a.md", undefined);
    const second = disputed(b, "b.md", first);
    return [{ ...first, conflicts: [second.id] }, second];
  });
  const { first, next } = edited((text) => text, claims, claims);
  expect(first.match(/Sources disagree about south pier/g)).toHaveLength(2);
  expect(next).toMatchObject({ text: first, removed: [] });
  expect(edited((text) => text, claims.slice(0, 2), claims).text).toBe(merge(claims.slice(0, 2), undefined).text);
  expect(edited((text) => text, claims, claims.slice(0, 2)).text).toBe(first);
});

describe("what a person wrote", () => {
  test("stays in its place while claims around it come and go", () => {
    const note = "Ask Ann about **old** fares.\n\n- one\n- two\n\n```sql\nselect 1\n\n```";
    const add = (text: string) => text.replace("vouchers. [2]\n", `vouchers. [2]\n\n${note}\n`);
    const same = edited(add);
    expect(same.text).toBe(same.edited);
    const { text } = edited(add, [amounts, gross, late, fact("Gross fare is in cents.", "gross fare")]);
    expect(text).toContain(`vouchers. [2]\n\n${note}\n\nGross fare is in cents.`);
    expect(edited(add, [amounts, late]).text).toContain(`## Gross fare\n\n${note}\n\n## Late return`);
    expect(edited((each) => `${each}\n## Mine\n\nText.\n`, [amounts]).text).toMatch(
      /in cents\. \[1\]\n\n## Mine\n\nText\.\n$/,
    );
    expect(edited((each) => each.replace("## Amounts", "Intro.\n\n## Amounts"), [gross]).text).toContain(
      "---\n\nIntro.\n\n## Gross fare",
    );
  });

  test("under a heading of its own stays with the claims that follow", () => {
    const { text } = edited(
      (each) => each.replace("## Late return\n", "## Fees\n"),
      [amounts, gross, fact("Gross fare excludes tips.", "gross fare"), late],
    );
    expect(text).toMatch(/vouchers\. \[2\]\n\n## Fees\n\nA late return costs 25 euro\. \[3\]\n$/);
  });

  test("in the place of a claim keeps the claim away, and is reported as edited", () => {
    const {
      next,
      text,
      edited: before,
    } = edited((each) => each.replace("costs 25 euro", "costs 25 euro, in Porto 20"));
    expect(next.removed).toEqual([{ claim: late.id, isEdited: true }]);
    expect(text).toBe(
      before.replace(
        "  - source: notion\n    item: late return.md\n    title: A page\n    updated: 2026-03-01\n",
        "",
      ) && text,
    );
    expect(text).toContain("A late return costs 25 euro, in Porto 20. [3]");
    expect(text).not.toContain("25 euro. ");
  });

  test("keeps the marks of its documents when their numbers change", () => {
    const add = (text: string) =>
      text.replace("## Late return", "Both are wrong in 2019. [2][3] See [2](x) and \\[2].\n\n## Late return");
    const { text } = edited(add, [gross, late]);
    expect(text).toContain("vouchers. [1]\n\nBoth are wrong in 2019. [1][2] See [2](x) and \\[2].");
    const { text: cited } = edited(add, [amounts, late]);
    expect(cited).toContain("Both are wrong in 2019. [3][2]");
    expect(parsePage(cited, file).front.sources?.map(({ item }) => item)).toEqual([
      "amounts.md",
      "late return.md",
      "gross fare.md",
    ]);
  });

  test("in the front matter stays, with comments, order and unknown keys", () => {
    const { text } = edited(
      (each) =>
        each
          .replace("title: Fares\n", "# ours\nowner: Ann\ntitle: What we charge # nicer\nuse: always\n")
          .replace("    title: A page\n", "    title: A page\n    read: true\n"),
      [...facts, fact("A pass costs 29 euro.", "pass")],
    );
    expect(text).toContain("# ours\nowner: Ann\ntitle: What we charge # nicer\nuse: always\n");
    expect(text).toContain("summary: amounts; gross fare; late return; pass\n");
    const kept = edited((each) => each.replace(/summary: .*\n/, "summary: Mine.\n"), [amounts]);
    expect(kept.text).toContain("summary: Mine.\n");
    const gone = edited((each) => each.replace(/summary: .*\n/, ""), [amounts]);
    expect(gone.text).not.toContain("summary");
    expect(merge([gross], gone.text, gone.next.written).text).not.toContain("summary");
  });

  test("a document that a person added stays, and is cited by them", () => {
    const { text } = edited((each) =>
      each
        .replace(
          "  - source: notion\n    item: late return.md",
          "  - source: book\n    item: p. 12\n  - source: notion\n    item: late return.md",
        )
        .replace("25 euro. [3]", "25 euro. [3]\n\nSo says the book. [3]"),
    );
    expect(text).toContain("So says the book. [4]");
    expect(parsePage(text, file).front.sources?.map(({ item }) => item)).toEqual([
      "amounts.md",
      "gross fare.md",
      "late return.md",
      "p. 12",
    ]);
  });

  test("alone is left if all claims are gone, and the file is removed if nothing is left", () => {
    const own = edited((each) => `${each}\nMine.\n`, []);
    expect(own.next).toMatchObject({ text: "## Late return\n\nMine.\n", isOnlyPersons: true, written: new Map() });
    expect(edited((each) => each, []).next).toMatchObject({ text: undefined, isOnlyPersons: false });
    expect(edited((each) => each.replace("title: Fares", "title: Fares\nuse: always"), []).next).toMatchObject({
      text: "---\nuse: always\n---\n",
      isOnlyPersons: true,
    });
  });

  test("a page that a person wrote alone gets the claims of its topic after its text", () => {
    const { text } = merge([amounts], "# Our fares\n\nMy words.\n");
    expect(text).toMatch(
      /^---\ntitle: Fares\n[\s\S]*---\n\n# Our fares\n\nMy words\.\n\n## Amounts\n\nAll amounts are in cents\. \[1\]\n$/,
    );
  });
});

describe("what a person removed", () => {
  test("is reported, and its heading is left out", () => {
    const { next, text } = edited((each) => each.replace(/## Late return\n\n.*\n/, ""));
    expect(next.removed).toEqual([{ claim: late.id, isEdited: false }]);
    expect(text).not.toMatch(/late return costs/i);
    const claim = edited((each) => each.replace(/\nA late return.*\n/, ""));
    expect(claim.next.removed).toEqual([{ claim: late.id, isEdited: false }]);
    expect(claim.text).not.toContain("## Late return");
  });

  test("a heading stays away", () => {
    const { next, text } = edited((each) => each.replace("## Late return\n\n", ""));
    expect(next.removed).toEqual([]);
    expect(text).not.toContain("## Late return");
    expect(merge([...facts, fact("A pass costs 29 euro.", "pass")], text, next.written).text).not.toContain(
      "## Late return",
    );
  });

  test("is written again if the record of what was written is the result of a merge", () => {
    const first = merge(facts, undefined);
    const cut = (first.text ?? "").replace(/\n## Late return\n\n.*\n/, "");
    expect(merge(facts, cut, first.written, false)).toMatchObject({ text: first.text, removed: [] });
  });
});

test("Windows line ends stay", () => {
  const { text } = edited((each) => each.replaceAll("\n", "\r\n"), [amounts, gross]);
  expect(text.replaceAll("\r\n", "")).not.toContain("\n");
  expect(text).toContain("## Gross fare\r\n\r\nGross fare is before");
});
