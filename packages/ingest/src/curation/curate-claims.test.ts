import { AuthenticationError, ConfigError, OverloadedError } from "@bridle/protocol";
import { describe, expect, test } from "vitest";
import type { Claim } from "../claims/claim.ts";
import { type CuratedClaims, curateClaims } from "./curate-claims.ts";
import { curatorOptions, MemoryAnswers, type ScriptedCurator, stated } from "./scripted-curator-for-tests.ts";

const textOf = ({ body }: Claim) => (body.kind === "statement" ? body.statement : "");
const itemsOf = ({ sources }: Claim) => sources.map(({ item }) => item).sort();
const show = ({ claims }: CuratedClaims) => claims.map((claim) => `${claim.status}: ${textOf(claim)}`).sort();

const downtime = [
  stated(
    "Downtime of a dock is the time without a heartbeat for more than 10 minutes.",
    { item: "downtime.md" },
    { subject: "downtime of a dock" },
  ),
  stated(
    "A dock is down once it has sent no heartbeat for over ten minutes; that time is its downtime.",
    { item: "faq.md" },
    { subject: "dock downtime" },
  ),
];
const grace = [
  stated(
    "The grace period of a ride is 3 minutes.",
    { item: "grace.md", updatedAt: "2026-01-01" },
    { subject: "grace period" },
  ),
  stated(
    "The grace period of a ride is 5 minutes.",
    { item: "faq.md", updatedAt: "2026-02-01" },
    { subject: "grace period" },
  ),
];
const facts = [
  stated(
    "Gross fare is the sum of fares over completed trips, before refunds and vouchers.",
    {},
    { subject: "gross fare" },
  ),
  stated("Gross fare is reported every night.", {}, { subject: "gross fare", category: "process" }),
  stated("Net fare is gross fare minus refunds.", {}, { subject: "net fare" }),
  stated("Night rides are free in Porto.", {}, { subject: "night rides", category: "rule" }),
  stated("Night rides are free in Lisbon.", {}, { subject: "night rides", category: "rule" }),
  stated("Test riders are left out of every report.", {}, { subject: "test riders", category: "rule" }),
  stated("A pass costs 29 euro.", {}, { subject: "pass" }),
  stated("A pass is valid for 30 days.", {}, { subject: "pass" }),
];

/** Checks that each fact is the text or a wording of a claim that is not retired. */
function expectNothingLost({ claims }: CuratedClaims, expected = facts) {
  const shown = claims.filter(({ status }) => status === "current" || status === "contested");
  const wordings = shown.flatMap(({ sources }) => sources.map(({ wording }) => wording));
  expect(wordings).toEqual(expect.arrayContaining(expected.map(({ source }) => source.wording)));
}

describe("a faithful curator", () => {
  test("makes duplicates in other words one claim with all sources", async () => {
    const { claims } = await curateClaims(
      [...facts, ...downtime],
      curatorOptions({ relation: (a, b) => (/dock/.test(a) && /dock/.test(b) ? "same" : "different") }),
    );
    expect(claims).toHaveLength(facts.length + 1);
    const found = claims.find((claim) => /heartbeat/.test(textOf(claim)));
    expect(found && itemsOf(found)).toEqual(["downtime.md", "faq.md"]);
  });

  test("is not asked about equal statements, which are one claim with all sources", async () => {
    const options = curatorOptions();
    const twice = ["a.md", "b.md"].map((item) => stated("Spare batteries are assets and not stock.", { item }));
    const other = stated("spare batteries are **assets** and not stock", { item: "c.md" });
    const { claims } = await curateClaims([...twice, other], options);
    expect(claims.map(itemsOf)).toEqual([["a.md", "b.md", "c.md"]]);
    expect((options.models as ScriptedCurator).calls).toEqual([]);
  });

  test("is asked once about each pair, and not again in the next run", async () => {
    const answers = new MemoryAnswers();
    const script = { relation: () => "different" };
    const first = curatorOptions(script, { answers });
    await curateClaims([...facts, ...downtime], first);
    expect((first.models as ScriptedCurator).calls.length).toBeGreaterThan(0);
    const again = curatorOptions(script, { answers });
    await curateClaims([...downtime, ...facts].reverse(), again);
    expect((again.models as ScriptedCurator).calls).toEqual([]);
    const more = curatorOptions(script, { answers });
    await curateClaims(
      [...facts, ...downtime, stated("Downtime of a dock is shown in red.", {}, { subject: "dock downtime" })],
      more,
    );
    expect((more.models as ScriptedCurator).calls.map(({ questions }) => questions)).toEqual([2]);
  });

  test("gives the same claims for candidates in any order", async () => {
    const all = [...facts, ...downtime, ...grace];
    const script = { relation: (a: string, b: string) => (/dock/.test(a + b) ? "same" : "different") };
    const one = await curateClaims(all, curatorOptions(script));
    const other = await curateClaims(all.toReversed(), curatorOptions(script));
    expect(other).toEqual(one);
  });
});

describe("a curator that misbehaves loses no fact", () => {
  test("if it calls everything the same", async () => {
    const result = await curateClaims(
      [...facts, ...downtime, ...grace],
      curatorOptions({ relation: () => "same", conflict: () => false }),
    );
    expectNothingLost(result, [...facts, ...downtime, ...grace]);
    expect(result.claims.every(({ status }) => status === "current")).toBe(true);
    const claimOf = (part: string) =>
      result.claims.find(({ sources }) => sources.some(({ wording }) => wording.includes(part)))?.id;
    expect(claimOf("Net fare")).not.toBe(claimOf("Gross fare is the sum"));
    expect(claimOf("29 euro")).not.toBe(claimOf("30 days"));
    expect(claimOf("3 minutes")).not.toBe(claimOf("5 minutes"));
    expect(result.refused).toEqual(
      expect.arrayContaining([
        { relation: "same", guard: "numbers", statements: expect.arrayContaining(["A pass costs 29 euro."]) },
      ]),
    );
  });

  test("if it calls everything a conflict, and confirms it", async () => {
    const result = await curateClaims([...facts, ...downtime], curatorOptions({ relation: () => "conflict" }));
    expectNothingLost(result, [...facts, ...downtime]);
  });

  test("if it calls everything different", async () => {
    const result = await curateClaims(
      [...facts, ...downtime, ...grace],
      curatorOptions({ relation: () => "different", conflict: () => false }),
    );
    expectNothingLost(result, [...facts, ...downtime, ...grace]);
    expect(result.claims).toHaveLength(12);
  });

  test.each([
    [
      "returns nonsense",
      () => ({
        answers: [
          { question: "q99", relation: "same" },
          { question: "", relation: "same" },
        ],
      }),
    ],
    ["returns no object", () => "sorry"],
    [
      "answers twice, differently",
      (_: unknown, object: unknown) => {
        const { answers } = object as { answers: object[] };
        return {
          answers: answers.flatMap((each) => [
            { ...each, relation: "same" },
            { ...each, relation: "conflict" },
          ]),
        };
      },
    ],
    [
      "fails",
      () => {
        throw new OverloadedError("529 overloaded");
      },
    ],
  ])("if it %s, which is reported and stored nowhere", async (_, distort) => {
    const options = curatorOptions({ distort });
    const result = await curateClaims([...facts, ...downtime], options);
    expectNothingLost(result, [...facts, ...downtime]);
    expect(result.undecided.length).toBeGreaterThan(0);
    expect(result.failed.length).toBeGreaterThan(0);
    expect((options.answers as MemoryAnswers).values.size).toBe(0);
  });

  test("and after three failed calls in a row it is left alone", async () => {
    const many = Array.from({ length: 300 }, (_, n) =>
      stated(`Tariff ${n} of the big plan is zone ${n}.`, {}, { subject: "tariff" }),
    );
    const options = curatorOptions(
      {
        distort: () => {
          throw new OverloadedError("overloaded");
        },
      },
      { concurrency: 1 },
    );
    const { failed, undecided } = await curateClaims(many, options);
    expect((options.models as ScriptedCurator).calls).toHaveLength(3);
    expect(failed.at(-1)?.message).toBe("Not asked after 3 failed calls. overloaded");
    expect(failed.reduce((sum, { questions }) => sum + questions, 0)).toBe(undecided.length);
  });
});

test.each([
  new ConfigError("The model is unknown."),
  new AuthenticationError("The key is wrong."),
  new TypeError("undefined is not a function"),
])("what no later run can make up for ends the run: %s", async (error) => {
  const options = curatorOptions({
    distort: () => {
      throw error;
    },
  });
  await expect(curateClaims([...facts, ...downtime], options)).rejects.toBe(error);
});

describe("contradictions", () => {
  test("the later document wins, and the other one says until when it held", async () => {
    const [old, late] = grace;
    if (!old || !late) throw new Error();
    const dated = { ...late, body: { ...late.body, since: "2026-02-01" } as typeof late.body };
    const result = await curateClaims([old, dated], curatorOptions());
    expect(show(result)).toEqual([
      "current: The grace period of a ride is 5 minutes.",
      "superseded: The grace period of a ride is 3 minutes.",
    ]);
    expect(result.claims.find(({ status }) => status === "superseded")).toMatchObject({
      until: "2026-02-01",
      conflictReason: "They differ.",
    });
  });

  test("numbers that differ in the same sentence are a question also if the curator sees none", async () => {
    const options = curatorOptions({ relation: () => "different" });
    expect(show(await curateClaims(grace, options))[1]).toMatch("superseded: ");
    expect((options.models as ScriptedCurator).calls.map(({ stage }) => stage)).toEqual(["reconcile"]);
    expect(show(await curateClaims(grace, curatorOptions({ conflict: () => false })))).toEqual([
      "current: The grace period of a ride is 3 minutes.",
      "current: The grace period of a ride is 5 minutes.",
    ]);
  });

  test("equal dates leave both contested", async () => {
    const both = [
      "Retention is the share of riders with a trip in both of two following months.",
      "Retention is the share of passes renewed within 35 days.",
    ];
    const result = await curateClaims(
      both.map((text) => stated(text)),
      curatorOptions({ relation: () => "conflict" }),
    );
    expect(show(result)).toEqual(both.map((text) => `contested: ${text}`).sort());
  });

  test("statements that share no word about their subject are never retired by order, but put to a person", async () => {
    const pair = [
      stated("A late return costs 25 euro.", { updatedAt: "2026-01-01" }, { subject: "late return", category: "rule" }),
      stated(
        "A late return is reported to support.",
        { updatedAt: "2026-02-01" },
        { subject: "late return", category: "rule" },
      ),
    ];
    expect(
      show(await curateClaims(pair, curatorOptions({ relation: () => "conflict" }))).map((line) => line.split(":")[0]),
    ).toEqual(["contested", "contested"]);
  });
});

describe("entries", () => {
  const part = (name: string, entry: Record<string, string>, item: string, authority = "certified") => ({
    body: {
      kind: "model-part",
      model: "trips",
      table: "w.main.trips",
      part: "measure",
      name,
      entry: { name, ...entry },
    } as const,
    source: stated("x", { item, authority: authority as "certified", updatedAt: undefined }).source,
  });

  test("two sources with the same measure are one claim with the words of both", async () => {
    const { claims } = await curateClaims(
      [
        part("revenue", { agg: "sum", expr: "fare" }, "a"),
        part("revenue", { agg: "sum", expr: "fare", description: "All fares." }, "b"),
      ],
      curatorOptions(),
    );
    expect(claims).toMatchObject([
      { status: "current", body: { entry: { agg: "sum", expr: "fare", description: "All fares." } } },
    ]);
    expect(claims.map(itemsOf)).toEqual([["a", "b"]]);
  });

  test("measures of one name that mean different things are contested, or the certified one wins", async () => {
    const [ours, theirs] = [
      part("revenue", { agg: "sum", expr: "fare" }, "a"),
      part("revenue", { agg: "avg", expr: "fare" }, "b"),
    ];
    const tie = await curateClaims([ours, theirs], curatorOptions());
    expect(tie.claims.map(({ status, conflictReason }) => [status, conflictReason])).toEqual([
      ["contested", "agg differs."],
      ["contested", "agg differs."],
    ]);
    const weaker = part("revenue", { agg: "avg", expr: "fare" }, "b", "inferred");
    const { claims } = await curateClaims([ours, weaker], curatorOptions());
    expect(claims.map(({ status, authority }) => `${authority} ${status}`).sort()).toEqual([
      "certified current",
      "inferred superseded",
    ]);
  });

  test("what two sources know about one model is merged by its keys", async () => {
    const model = (entry: Record<string, string | string[]>, item: string) => ({
      body: { kind: "model-part", model: "trips", table: "w.main.trips", part: "model", name: "trips", entry } as const,
      source: stated("x", { item, authority: "certified" }).source,
    });
    const { claims } = await curateClaims(
      [
        model({ name: "trips", table: "main.trips", primary_key: ["id"] }, "a"),
        model({ name: "trips", table: "main.trips", description: "Rides." }, "b"),
      ],
      curatorOptions(),
    );
    const keys = claims.map(({ body, sources }) => [body.kind === "model-part" ? body.name : "", sources.length]);
    expect(keys.sort()).toEqual([
      ["description", 1],
      ["primary_key", 1],
      ["table", 2],
    ]);
  });
});

describe("pages", () => {
  const topics = (...names: string[]) =>
    names.map((topic, n) => stated(`Thing ${n} ${topic} is new.`, {}, { topic, subject: `thing ${topic}` }));
  const pagesOf = ({ claims }: CuratedClaims) =>
    Object.fromEntries(claims.map(({ body, page }) => [body.kind === "statement" ? body.topic : "", page]));

  test("a topic stays on the page that names it, and one with the same words goes to the same page", async () => {
    const pages = [{ key: "prices", title: "What we charge", topics: ["Fares"] }];
    const options = curatorOptions({}, { pages });
    expect(pagesOf(await curateClaims(topics("fares", "fare", "docks"), options))).toEqual({
      fares: "prices",
      fare: "fare",
      docks: "docks",
    });
  });

  test("a model chooses among pages with a similar name, and an invented name is not used", async () => {
    const pages = [{ key: "fares", title: "Fares", topics: ["fares"] }];
    const chosen = await curateClaims(topics("fare rules"), curatorOptions({ page: () => "fares" }, { pages }));
    expect(pagesOf(chosen)).toEqual({ "fare rules": "fares" });
    const invented = await curateClaims(
      topics("fare rules"),
      curatorOptions({ page: () => "../etc/passwd" }, { pages }),
    );
    expect(pagesOf(invented)).toEqual({ "fare rules": "fare-rules" });
    expect(invented.undecidedTopics).toEqual(["fare rules"]);
  });
});
