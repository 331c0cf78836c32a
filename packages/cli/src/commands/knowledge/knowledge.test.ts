import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { type Claim, type ClaimSource, openIngestStore } from "@bridle/ingest";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { runCli, type TestOptions } from "../../command/cli-for-tests.ts";

let cwd: string;
beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), "bridle-knowledge-"));
  await mkdir(join(cwd, "context/wiki"), { recursive: true });
  await writeFile(join(cwd, "bridle.yaml"), "llm: { provider: { backend: none } }\n");
});
afterEach(() => rm(cwd, { recursive: true }));

const bridle = (words: readonly string[], more: TestOptions = {}) => runCli(["context", ...words], { cwd, ...more });
const json = async (...words: string[]) => JSON.parse((await bridle([...words, "--json"])).stdout);

const handbook = "Churn is counted after 21 days without a ride.";
const minutes = "Churn is counted after 28 days without a ride.";

function claimOf(id: string, statement: string, source: Partial<ClaimSource>, more: Partial<Claim> = {}): Claim {
  const body = { subject: "churn", topic: "riders", category: "definition" } as const;
  const cited = { version: id.repeat(8), title: "Handbook", authority: "document", origin: "unit" } as const;
  return {
    id,
    body: { ...body, kind: "statement", statement, tables: [] },
    status: "current",
    authority: "document",
    sources: [
      {
        ...cited,
        source: "notion",
        item: "handbook.md",
        wording: statement,
        quote: statement,
        start: 0,
        end: statement.length,
        ...source,
      },
    ],
    conflicts: [],
    page: "riders",
    ...more,
  };
}

/** Stores the result of an ingest: two contradicting claims. The text of one of them was removed. */
function storeContradiction(): void {
  const store = openIngestStore({ stateDir: join(cwd, ".bridle") });
  const reason = "One says 21 days, the other 28.";
  const rival = { status: "contested", conflictReason: reason } as const;
  store.claims.replace(
    [
      claimOf("aaaa1111", handbook, { updatedAt: "2026-02-01" }, { ...rival, conflicts: ["bbbb2222"] }),
      claimOf("bbbb2222", minutes, { item: "minutes.md", title: "Minutes" }, { ...rival, conflicts: ["aaaa1111"] }),
      claimOf("cccc3333", "A rider has a pass.", { version: "gone" }),
    ],
    new Date("2026-03-01T10:00:00Z"),
  );
  store.texts.write("aaaa1111".repeat(8), handbook);
  store.texts.write("bbbb2222".repeat(8), minutes);
  store.close();
}

describe("bridle context wiki", () => {
  beforeEach(async () => {
    const front =
      "---\ntitle: Fares\nsummary: What a ride costs.\nsources: [{ source: notion, item: fares.md, title: Fare rules }]\n---\n";
    await writeFile(
      join(cwd, "context/wiki/fares.md"),
      `${front}\n# Fares\n\nA ride costs 1 euro. [1]\n\n## Night\n\nAt night it costs 2 euro, see [[nigth]]. [2]\n`,
    );
    await writeFile(
      join(cwd, "context/wiki/night.md"),
      "---\ntitle: Night\nuse: never\n---\n\nFor people \u001b[31malone.\n",
    );
  });

  test("pages are listed with their titles, summaries and uses", async () => {
    expect((await bridle(["wiki", "list"])).stdout).toBe(
      "fares  Fares\n  What a ride costs.\nnight  Night  (hidden from agents)\n",
    );
    expect((await json("wiki", "list")).pages).toMatchObject([{ page: "fares", use: "search" }, { use: "never" }]);
  });

  test("a page is read with its sources, by its name, file or title, without control characters", async () => {
    const { stdout } = await bridle(["wiki", "read", "fares"]);
    expect(stdout).toMatch(/^# Fares\n\nA ride costs 1 euro\. \[1\]\n/);
    expect(stdout).toMatch(/\n\[1\] Fare rules, fares\.md \(notion\)\ncontext\/wiki\/fares\.md\n$/);
    for (const name of ["Fares", "context/wiki/fares.md"])
      expect((await bridle(["wiki", "read", name])).stdout).toBe(stdout);
    expect((await bridle(["wiki", "read", "night"])).stdout).not.toContain("\u001b[31m");
    expect(await bridle(["wiki", "read", "fare"])).toMatchObject({
      code: 3,
      stdout: "",
      stderr: 'There is no page fare. Did you mean "fares"?\n',
    });
    expect((await bridle(["wiki", "read"])).code).toBe(2);
  });

  test("a search shows the section that fits best, and no page that is hidden from agents", async () => {
    const { stdout } = await bridle(["wiki", "search", "night", "cost"]);
    expect(stdout).toMatch(/^fares {2}Fares › Night\n {2}At night it costs 2 euro/);
    expect((await json("wiki", "search", "people", "alone")).pages).toEqual([]);
    expect(await bridle(["wiki", "search", "zzz"])).toMatchObject({
      code: 0,
      stderr: "No page was found. Try other words.\n",
    });
  });

  test("lint names each problem with its place, and fails", async () => {
    const { code, stdout } = await bridle(["wiki", "lint"]);
    expect([code, stdout.split("\n")]).toEqual([
      1,
      [
        'context/wiki/fares.md:13:31: there is no page nigth. Did you mean "night"?',
        "context/wiki/fares.md:13:42: the mark [2] has no source: the page lists 1.",
        "",
      ],
    ]);
    expect(await json("wiki", "lint")).toMatchObject({ ok: false, pages: 2, problems: [{ line: 13 }, { column: 42 }] });
    await rm(join(cwd, "context/wiki/fares.md"));
    expect(await bridle(["wiki", "lint"])).toMatchObject({ code: 0, stderr: "1 page, nothing is wrong.\n" });
  });

  test("without pages, each command says what comes first", async () => {
    await rm(join(cwd, "context"), { recursive: true });
    for (const words of [["list"], ["read", "fares"], ["search", "fares"]])
      expect((await bridle(["wiki", ...words])).stderr).toMatch(/^There are no pages\. Write one to context\/wiki/);
  });
});

describe("bridle context why", () => {
  test("leads from a page to its quotes, the documents, and what contradicts them", async () => {
    storeContradiction();
    const { code, stdout } = await bridle(["why", "riders"]);
    expect(code).toBe(0);
    expect(stdout).toContain(`riders  page\n\n${handbook}\n  aaaa1111, contested`);
    expect(stdout).toContain(
      `    ← “${handbook}”\n      Handbook, handbook.md (notion, changed 2026-02-01), version aaaa1111aa, characters 0 to ${handbook.length}\n`,
    );
    expect(stdout).toContain(`  contradicted by: ${minutes} (bbbb2222, contested`);
    expect(stdout).toContain("the quote is not in the stored text");
    expect(await json("why", "aaaa1111")).toMatchObject({
      kind: "claim",
      nearest: [],
      claims: [{ id: "aaaa1111", sources: [{ state: "stored", quote: handbook }], conflicts: [{ id: "bbbb2222" }] }],
    });
  });

  test("an unknown key fails with the nearest ones", async () => {
    expect((await bridle(["why", "riders"])).stderr).toContain("Nothing has been ingested yet.");
    storeContradiction();
    expect(await bridle(["why", "rider"])).toMatchObject({
      code: 1,
      stdout: "",
      stderr: "No document mentions rider. Did you mean riders?\n",
    });
    const { code, stdout } = await bridle(["why", "rider", "--json"]);
    expect([code, JSON.parse(stdout)]).toEqual([1, { key: "rider", kind: null, claims: [], nearest: ["riders"] }]);
  });
});

describe("bridle context review", () => {
  const decided = () => readFile(join(cwd, "context/decisions.yaml"), "utf8");

  test("without a terminal, contradictions are listed with their documents, and the exit code says that they are open", async () => {
    storeContradiction();
    const { code, stdout, stderr } = await bridle(["review"]);
    expect(code).toBe(1);
    expect(stdout).toContain("On page riders. One says 21 days, the other 28.");
    expect(stdout).toContain(`aaaa1111  ${handbook}`);
    expect(stdout).toContain("Minutes, minutes.md (notion)");
    expect(stderr).toMatch(/^1 contradiction is open\./);
    expect((await json("review")).contradictions).toMatchObject([
      { isDecidable: true, pages: ["riders"], claims: [{ id: "aaaa1111" }, { id: "bbbb2222" }] },
    ]);
  });

  test("at a terminal, the chosen statement is written with who and when, and is not asked again", async () => {
    storeContradiction();
    const { code, stdout, stderr } = await bridle(["review"], { typed: ["x", "b"] });
    expect([code, stdout]).toEqual([0, expect.stringContaining("1 of 1")]);
    expect(stderr).toContain("Type one of these words");
    expect(stderr).toContain("written to context/decisions.yaml");
    expect(await decided()).toMatch(
      new RegExp(
        `pins:\\n  - statement: ${minutes}\\n[\\s\\S]*over:\\n {6}- ${handbook}\\n    by: ${userInfo().username}\\n    at: \\d{4}-\\d\\d-\\d\\d\\n$`,
      ),
    );
    expect(await bridle(["review"], { typed: [] })).toMatchObject({ code: 0, stderr: "No contradiction is open.\n" });
    expect((await bridle(["why", "bbbb2222"])).stdout).toContain("decision: Chosen in context/decisions.yaml.");
    expect((await bridle(["changes"])).stdout).toContain("decided by a person");
  });

  test("a skipped contradiction stays open, and both can hold", async () => {
    storeContradiction();
    expect(await bridle(["review"], { typed: ["s"] })).toMatchObject({ code: 1 });
    await expect(decided()).rejects.toThrow();
    expect((await bridle(["review"], { typed: ["both"] })).code).toBe(0);
    expect(await decided()).toContain("both:\n  - statements:\n");
  });

  test("a program decides by ids, with a reason", async () => {
    storeContradiction();
    const { code, stdout } = await bridle(["review", "choose", "aaaa1111", "--reason", "Finance agreed.", "--json"]);
    expect([code, JSON.parse(stdout)]).toEqual([
      0,
      {
        decision: "chosen",
        holds: [handbook],
        over: [minutes],
        by: userInfo().username,
        reason: "Finance agreed.",
        at: expect.any(String),
        file: "context/decisions.yaml",
      },
    ]);
    expect(await bridle(["review", "both", "aaaa1111"])).toMatchObject({
      code: 3,
      stderr: expect.stringContaining("or it is decided already"),
    });
    expect((await bridle(["review", "choose"])).code).toBe(2);
    expect((await bridle(["review", "chose", "a"])).code).toBe(2);
  });
});
