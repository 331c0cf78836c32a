import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createRedactor } from "@bridle/core";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { CheckedCandidate } from "../../claims/checked-candidate.ts";
import type { Claim } from "../../claims/claim.ts";
import { readDecisions } from "../../claims/decisions/parse-decisions.ts";
import { KnownNames } from "../../claims/gates/known-names.ts";
import { curateClaims } from "../../curation/curate-claims.ts";
import {
  type CuratorScript,
  curatorOptions,
  MemoryAnswers,
  stated,
} from "../../curation/scripted-curator-for-tests.ts";
import { createPagesSource } from "../../memory/pages-source.ts";
import type { ChangeSet } from "../../rendering/change-set.ts";
import { openIngestStore } from "../../store/ingest-store.ts";
import { ingest } from "../ingest.ts";
import { applyChanges } from "./apply-changes.ts";
import { decide } from "./decide.ts";
import { planChanges, readPagePlaces } from "./plan-changes.ts";

let projectDir: string;
let answers: MemoryAnswers;
beforeEach(() => {
  projectDir = mkdtempSync(join(tmpdir(), "bridle-plan-"));
  answers = new MemoryAnswers();
});
afterEach(() => rmSync(projectDir, { recursive: true, force: true }));

const path = (file: string) => join(projectDir, file);
const page = (slug: string) => path(`context/wiki/${slug}.md`);
const read = (slug: string) => readFileSync(page(slug), "utf8");
const edit = (slug: string, change: (text: string) => string) => writeFileSync(page(slug), change(read(slug)));
const put = (file: string, text: string) => {
  mkdirSync(dirname(path(file)), { recursive: true });
  writeFileSync(path(file), text);
};

/** Creates a fact from a document. */
const says = (item: string, statement: string, subject: string, topic = "fares", more: object = {}) =>
  stated(statement, { item, ...more }, { subject, topic });

/** Performs a run: turns candidates into claims, and writes the files. */
async function run(candidates: readonly CheckedCandidate[], script: CuratorScript = {}): Promise<ChangeSet> {
  const now = () => new Date("2026-03-04T00:00:00Z");
  const plan = async () => {
    const { decisions } = readDecisions({ projectDir });
    const { topics } = readPagePlaces(projectDir);
    const curated = await curateClaims(candidates, curatorOptions(script, { answers, decisions, pages: topics }));
    return planChanges(curated, { projectDir, signal: new AbortController().signal, now });
  };
  const { changeSet, failed } = await applyChanges(await plan(), {
    projectDir,
    stateDir: path(".bridle"),
    reason: "ingest: test",
    now,
    planAgain: plan,
  });
  expect(failed).toEqual([]);
  return changeSet;
}

const statusOf = ({ claims }: ChangeSet) => Object.fromEntries(claims.map((claim) => [textOf(claim), claim.status]));
const textOf = ({ body }: Claim) => (body.kind === "statement" ? body.statement : "");
const conflict: CuratorScript = { relation: () => "conflict" };

const gross = says("a.md", "Gross fare is before refunds.", "gross fare");
const late = says("b.md", "A late return costs 25 euro.", "late return");
const docks = says("c.md", "A dock has a heartbeat.", "dock", "docks");

describe("eviction", () => {
  const twice = [
    says("x.md", "Spare batteries are assets and not stock.", "spare batteries", "stock"),
    says("y.md", "Spare batteries are assets and not stock.", "spare batteries", "stock"),
  ];

  test("removes exactly what only a deleted document said, also after unchanged runs in between", async () => {
    await run([gross, late, docks, ...twice]);
    for (let unchanged = 0; unchanged < 3; unchanged += 1)
      expect((await run([gross, late, docks, ...twice])).files).toEqual([]);
    const { files } = await run([gross, ...twice.slice(0, 1)]);
    expect(files.map(({ file, after }) => [file, after !== undefined])).toEqual([
      ["context/wiki/docks.md", false],
      ["context/wiki/fares.md", true],
      ["context/wiki/stock.md", true],
    ]);
    expect(read("fares")).not.toContain("25 euro");
    expect(read("fares")).toContain("Gross fare is before refunds. [1]");
    expect(read("stock")).toContain("item: x.md");
    expect(read("stock")).not.toContain("y.md");
    expect(existsSync(page("docks"))).toBe(false);
  });

  test("never removes what a person wrote, and flags it", async () => {
    await run([gross, late]);
    edit("fares", (text) => `${text.replace("25 euro", "25 euro, and 20 in Porto")}\nOur own rule.\n`);
    const edited = await run([gross, late]);
    expect(edited.notes).toMatchObject([{ kind: "edited", file: "context/wiki/fares.md" }]);
    const { notes } = await run([]);
    expect(read("fares")).toMatch(
      /## Late return\n\nA late return costs 25 euro, and 20 in Porto\. \[1\]\n\nOur own rule\.\n$/,
    );
    expect(notes.map(({ kind, message }) => `${kind}: ${message}`)).toEqual([
      "kept: Only text from people is left: no document mentions the topic any more.",
      'kept: No document supports a statement that a person replaced: "A late return costs 25 euro.". The person\'s text stays.',
    ]);
  });
});

describe("a contradiction", () => {
  const growth = says(
    "growth.md",
    "Retention is the share of riders with a trip in two months.",
    "retention",
    "growth",
  );
  const finance = says(
    "finance.md",
    "Retention is the share of passes renewed within 35 days.",
    "retention",
    "finance",
  );

  test("without an order is on both pages with both wordings and sources, until a later document settles it", async () => {
    expect(statusOf(await run([growth, finance], conflict))).toEqual({
      [textOfCandidate(growth)]: "contested",
      [textOfCandidate(finance)]: "contested",
    });
    for (const slug of ["growth", "finance"]) {
      expect(read(slug)).toContain("## Disputed");
      for (const part of ["share of riders", "share of passes", "item: growth.md", "item: finance.md"])
        expect(read(slug)).toContain(part);
    }
    const later = says("finance.md", textOfCandidate(finance), "retention", "finance", {
      updatedAt: "2026-05-01",
      version: "v2",
    });
    expect(statusOf(await run([growth, later], conflict))).toEqual({
      [textOfCandidate(growth)]: "superseded",
      [textOfCandidate(finance)]: "current",
    });
    expect(read("growth")).toMatch(/## Earlier[\s\S]*share of riders/);
    expect(read("finance")).not.toMatch(/Disputed|share of riders/);
  });

  test("is settled by the deletion of one side", async () => {
    await run([growth, finance], conflict);
    expect(statusOf(await run([growth], conflict))).toEqual({ [textOfCandidate(growth)]: "current" });
    expect(existsSync(page("finance"))).toBe(false);
    expect(read("growth")).not.toContain("Disputed");
  });

  test("is settled by a person, and stays so when other things change and when the documents are gone", async () => {
    await run([growth, finance], conflict);
    const pin = {
      statement: textOfCandidate(growth),
      subject: "retention",
      topic: "growth",
      over: [textOfCandidate(finance)],
      by: "Ann",
      at: "2026-03-04",
    };
    await decide({ pins: [pin] }, { projectDir, stateDir: path(".bridle") });
    const settled = { [textOfCandidate(growth)]: "current", [textOfCandidate(finance)]: "superseded" };
    expect(statusOf(await run([growth, finance], conflict))).toEqual(settled);
    expect(statusOf(await run([growth, finance, docks], conflict))).toMatchObject(settled);
    const gone = await run([finance, docks], conflict);
    expect(statusOf(gone)).toMatchObject(settled);
    expect(gone.decisionNotes).toMatchObject([{ kind: "orphaned", statement: textOfCandidate(growth) }]);
    expect(read("growth")).toContain("item: context/decisions.yaml");
  });

  test("is settled by a person who removes one side from a page", async () => {
    await run([growth, finance], conflict);
    for (const slug of ["growth", "finance"])
      edit(slug, (text) => text.replace(/Retention is the share of passes.*\n/, ""));
    expect(statusOf(await run([growth, finance], conflict))).toEqual({
      [textOfCandidate(growth)]: "current",
      [textOfCandidate(finance)]: "removed",
    });
    expect(read("growth")).not.toContain("Disputed");
    expect((await run([growth, finance], conflict)).files).toEqual([]);
  });
});

const textOfCandidate = ({ body }: CheckedCandidate) => (body.kind === "statement" ? body.statement : "");

describe("what a person does with pages", () => {
  test("a page that was renamed is the same page, and links lead to its new name", async () => {
    const refund = says("r.md", "A refund lowers all fares.", "refund", "refunds");
    await run([gross, late, refund]);
    renameSync(page("fares"), page("prices"));
    edit("prices", (text) => text.replace("title: Fares", "title: What we charge"));
    const tariff = says("t.md", "A fare is per minute.", "fare", "Fares");
    const { files } = await run([gross, late, refund, tariff]);
    expect(files.map(({ file }) => file)).toEqual(["context/wiki/prices.md", "context/wiki/refunds.md"]);
    expect(read("prices")).toContain("title: What we charge\n");
    expect(read("prices")).toContain("A fare is per minute.");
    expect(read("refunds")).toContain("[[prices]]");
    expect(existsSync(page("fares"))).toBe(false);
    expect((await run([gross, late, refund, tariff])).files).toEqual([]);
  });

  test("a page that was deleted stays away, also with new facts, until the decision is removed", async () => {
    await run([gross, docks]);
    rmSync(page("fares"));
    const { notes, claims } = await run([gross, docks]);
    expect(notes).toMatchObject([{ kind: "removed", file: "context/wiki/fares.md" }]);
    expect(claims.map(({ status }) => status).sort()).toEqual(["current", "removed"]);
    expect(readFileSync(path("context/decisions.yaml"), "utf8")).toContain(
      "removed:\n  - page: fares\n    at: 2026-03-04\n",
    );
    await run([gross, docks, late]);
    expect(existsSync(page("fares"))).toBe(false);
    rmSync(path("context/decisions.yaml"));
    await run([gross, docks, late]);
    expect(read("fares")).toContain("25 euro");
  });

  test("a claim that was removed stays away, and its decision has the statement for people", async () => {
    await run([gross, late]);
    edit("fares", (text) => text.replace(/\n## Late return\n\n.*\n/, ""));
    const { notes } = await run([gross, late]);
    expect(notes).toMatchObject([
      {
        kind: "removed",
        message: 'A person removed "A late return costs 25 euro.". It stays so: see context/decisions.yaml.',
      },
    ]);
    expect(readDecisions({ projectDir }).decisions.removed).toEqual([
      { statement: "A late return costs 25 euro.", page: "fares", at: "2026-03-04" },
    ]);
    expect((await run([gross, late])).files).toEqual([]);
    const { files } = await run([gross, says("b.md", "A late return costs 30 euro.", "late return")]);
    expect(files.map(({ after }) => after?.includes("30 euro"))).toEqual([true]);
  });

  test("a page with the topics of another one is reported as a copy", async () => {
    await run([gross]);
    writeFileSync(page("copy"), read("fares"));
    const { notes, files } = await run([gross, late]);
    expect(notes).toMatchObject([{ kind: "copy", file: "context/wiki/copy.md" }]);
    expect(files.map(({ file }) => file)).toEqual(["context/wiki/fares.md"]);
  });

  test("a page whose front matter is broken stays as it is, and is reported", async () => {
    await run([gross]);
    edit("fares", (text) => text.replace("title: Fares", "title: [Fares"));
    const broken = read("fares");
    expect((await run([gross, late])).notes).toMatchObject([{ kind: "unreadable", file: "context/wiki/fares.md" }]);
    expect(read("fares")).toBe(broken);
    edit("fares", (text) => text.replace("title: [Fares", "title: Fares"));
    await run([gross, late]);
    expect(read("fares")).toContain("25 euro");
  });

  test("comments, keys and texts of people stay through any runs, for random edits", async () => {
    const facts = [
      gross,
      late,
      docks,
      says("d.md", "Net fare is after refunds.", "net fare"),
      says("e.md", "Gross fare is in cents.", "gross fare"),
    ];
    const place = fc.nat({ max: 12 });
    const insertion = fc.record({
      place,
      text: fc.constantFrom("My note.", "## My heading\n\nMy text under it.", "- one\n- two", "```\ncode\n\nmore\n```"),
    });
    const world = fc.record({
      first: fc.subarray(facts, { minLength: 1 }),
      next: fc.subarray(facts),
      edits: fc.array(insertion, { minLength: 1, maxLength: 3 }),
    });
    await fc.assert(
      fc.asyncProperty(world, async ({ first, next, edits }) => {
        rmSync(path("context"), { recursive: true, force: true });
        await run([gross, ...first]);
        edit("fares", (text) => {
          const [front = "", ...blocks] = text
            .replace("title: Fares\n", "title: Fares # mine\nowner: Ann\n")
            .split(/\n\n/);
          for (const [index, each] of edits.entries())
            blocks.splice(each.place % (blocks.length + 1), 0, `${each.text.replace(/(My|one|code)/, `$1 ${index}`)}`);
          return `${[front, ...blocks].join("\n\n").trimEnd()}\n`;
        });
        const written = edits.map(({ text }, index) => text.replace(/(My|one|code)/, `$1 ${index}`));
        for (const claims of [next, [], first]) {
          await run(claims);
          for (const text of written) for (const part of text.split("\n\n")) expect(read("fares")).toContain(part);
          expect(read("fares")).toContain("owner: Ann");
          for (const { body } of claims)
            if (body.kind === "statement" && body.topic === "fares")
              expect(read("fares").split(body.statement)).toHaveLength(2);
        }
      }),
      { numRuns: 25 },
    );
  });
});

test("a clone without the state of the project changes nothing, and evicts what a source no longer says", async () => {
  await run([gross, late, docks]);
  rmSync(path(".bridle"), { recursive: true });
  answers = new MemoryAnswers();
  expect((await run([gross, late, docks])).files).toEqual([]);
  await run([gross, docks]);
  expect(read("fares")).not.toContain("25 euro");
});

test("what a person wrote on a page is a source: it is stronger than a document, and not written twice", async () => {
  put("context/wiki/fares.md", "# Fares\n\n## Gross fare\n\nGross fare is before refunds and tips.\n\n- a list\n");
  await run([late]);
  const store = openIngestStore({ stateDir: path(".bridle") });
  const names = new KnownNames({ tables: [] });
  const options = {
    store,
    redactor: createRedactor(),
    knowledge: { names: () => names, contextTools: [] },
    models: curatorOptions().models,
  };
  const { result = [], outcome } = await ingest({
    ...options,
    sources: [createPagesSource(projectDir)],
    finish: async (checked) => checked,
  });
  store.close();
  expect(outcome.rejected).toEqual([]);
  expect(
    result.map(({ body, source }) => [body.kind === "statement" && body.statement, source.item, source.authority]),
  ).toEqual([["Gross fare is before refunds and tips.", "fares", "person"]]);
  const rival = says("z.md", "Gross fare is after refunds and tips.", "gross fare", "fares", {
    updatedAt: "2027-01-01",
  });
  const { claims } = await run([late, rival, ...result], conflict);
  expect(Object.fromEntries(claims.map((claim) => [textOf(claim), claim.status]))).toMatchObject({
    "Gross fare is before refunds and tips.": "current",
    "Gross fare is after refunds and tips.": "superseded",
  });
  expect(read("fares").split("before refunds and tips")).toHaveLength(2);
});
