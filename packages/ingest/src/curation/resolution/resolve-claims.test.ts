import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Claim, ClaimSource } from "../../claims/claim.ts";
import type { Decisions } from "../../claims/decisions/decision-schema.ts";
import { normalForm } from "../../claims/wording/read-wording.ts";
import { authorities } from "../../sources/source.ts";
import { curateClaims } from "../curate-claims.ts";
import { relations } from "../pair-questions.ts";
import { curatorOptions, stated } from "../scripted-curator-for-tests.ts";
import type { ClaimConflict, DraftClaim } from "./draft-claim.ts";
import { findOrphanedPins } from "./pins.ts";
import { resolveClaims } from "./resolve-claims.ts";
import { isStronger, strengthOf } from "./strength.ts";

function draft(id: string, source: Partial<ClaimSource> = {}, since?: string): DraftClaim {
  const candidate = stated(`Statement ${id}.`, source);
  const body = since === undefined ? candidate.body : { ...candidate.body, since };
  return { id, body: body as DraftClaim["body"], sources: [candidate.source], forms: [normalForm(`Statement ${id}.`)] };
}

const conflict = (a: string, b: string, isSettleable = true): ClaimConflict => ({ a, b, isSettleable });
const statuses = (claims: readonly Claim[]) => Object.fromEntries(claims.map(({ id, status }) => [id, status]));
const resolve = (drafts: readonly DraftClaim[], conflicts: readonly ClaimConflict[], decisions: Decisions = {}) =>
  resolveClaims([...drafts, ...findOrphanedPins(drafts, decisions)], conflicts, decisions);

describe("the order", () => {
  const person = { authority: "person", updatedAt: "2020-01-01" } as const;
  const certified = { authority: "certified", updatedAt: "2021-01-01" } as const;
  const late = { authority: "document", updatedAt: "2026-03-02" } as const;
  const early = { authority: "document", updatedAt: "2026-03-01" } as const;
  const inferred = { authority: "inferred", updatedAt: "2026-12-31" } as const;

  test.each([
    ["a person", "a certified definition", person, certified],
    ["a certified definition", "a later document", certified, late],
    ["a later document", "an earlier one", late, early],
    ["an earlier document", "what was inferred later", early, inferred],
    ["a later word of a person", "an earlier one", { ...person, updatedAt: "2026-01-01" }, person],
    [
      "a document of noon",
      "one of the morning",
      { ...late, updatedAt: "2026-03-02T12:00:00Z" },
      { ...late, updatedAt: "2026-03-02T08:00:00Z" },
    ],
  ])("%s is stronger than %s", (_a, _b, stronger, weaker) => {
    const { claims } = resolve([draft("w", weaker), draft("s", stronger)], [conflict("s", "w")]);
    expect(statuses(claims)).toEqual({ s: "current", w: "superseded" });
  });

  test.each([
    ["two documents of one day", late, { ...late }],
    ["two documents of one day, of which one has a time", late, { ...late, updatedAt: "2026-03-02T12:00:00Z" }],
    ["a document with a date and one without", late, { authority: "document", updatedAt: undefined } as const],
    ["a document whose date is no date", late, { authority: "document", updatedAt: "last spring" } as const],
    ["two certified definitions of different days", certified, { ...certified, updatedAt: "2025-01-01" }],
    ["two inferred ones", inferred, { ...inferred, updatedAt: "2020-01-01" }],
  ])("%s are contested", (_, a, b) => {
    const { claims } = resolve([draft("a", a), draft("b", b)], [conflict("a", "b")]);
    expect(statuses(claims)).toEqual({ a: "contested", b: "contested" });
  });

  test("a claim that is superseded does not supersede another one", () => {
    const drafts = [draft("a", late), draft("b", early), draft("c", inferred)];
    expect(statuses(resolve(drafts, [conflict("a", "b"), conflict("b", "c")]).claims)).toEqual({
      a: "current",
      b: "superseded",
      c: "current",
    });
  });

  test("of three, the strongest settles what two contest", () => {
    const drafts = [draft("a", early), draft("b", early), draft("c", late)];
    const all = [conflict("a", "b"), conflict("b", "c"), conflict("a", "c")];
    expect(statuses(resolve(drafts.slice(0, 2), all.slice(0, 1)).claims)).toEqual({ a: "contested", b: "contested" });
    expect(statuses(resolve(drafts, all).claims)).toEqual({ a: "superseded", b: "superseded", c: "current" });
  });

  test("the one that holds since a day ends the other one on that day", () => {
    const { claims } = resolve([draft("a", late, "2026-03-01"), draft("b", early)], [conflict("a", "b")]);
    expect(claims).toMatchObject([
      { id: "a", since: "2026-03-01" },
      { id: "b", status: "superseded", until: "2026-03-01" },
    ]);
  });
});

describe("random claims with random relations", () => {
  const source = fc.record({
    authority: fc.constantFrom(...authorities),
    updatedAt: fc.constantFrom(undefined, "2026-01-01", "2026-01-02", "2026-01-02T10:00:00Z", "soon"),
  });
  const world = fc.array(source, { minLength: 1, maxLength: 8 }).chain((sources) => {
    const id = fc.integer({ min: 0, max: sources.length - 1 }).map(String);
    const edge = fc.record({ a: id, b: id, isSettleable: fc.boolean() });
    return fc.record({
      drafts: fc.constant(sources.map((each, n) => draft(String(n), each))),
      conflicts: fc.array(edge, { maxLength: 12 }),
    });
  });

  test("each status has its reason, and nothing is retired that no stronger claim contradicts", () => {
    fc.assert(
      fc.property(world, ({ drafts, conflicts }) => {
        const { claims } = resolve(drafts, conflicts);
        const byId = new Map(claims.map((claim) => [claim.id, claim]));
        const strengths = new Map(drafts.map(({ id, sources }) => [id, strengthOf(sources)]));
        const rivals = (id: string) =>
          conflicts
            .filter(({ a, b }) => a !== b && (a === id || b === id))
            .map(({ a, b, isSettleable }) => ({ id: a === id ? b : a, isSettleable }));
        const holds = (id: string) => byId.get(id)?.status !== "superseded";
        const beats = (id: string, other: string) => {
          const [a, b] = [strengths.get(id), strengths.get(other)];
          return a !== undefined && b !== undefined && isStronger(a, b);
        };
        for (const { id, status } of claims) {
          const alive = rivals(id).filter((rival) => holds(rival.id));
          const beaten = alive.some((rival) => rival.isSettleable && beats(rival.id, id));
          expect(status).toBe(beaten ? "superseded" : alive.length > 0 ? "contested" : "current");
        }
        expect(resolve(drafts.toReversed(), conflicts.toReversed()).claims).toEqual(claims);
      }),
    );
  });

  test("a model that relates unrelated facts at random, and confirms it, retires none of them", async () => {
    const nouns = [
      "gross fare",
      "dock heartbeat",
      "winter mode",
      "voucher code",
      "night shift",
      "rain surcharge",
      "battery pool",
      "city report",
    ];
    const dated = fc.constantFrom("2026-01-01", "2026-02-01", "2026-03-01", undefined);
    const facts = fc.uniqueArray(
      fc.record({ noun: fc.constantFrom(...nouns), updatedAt: dated, number: fc.integer({ min: 2, max: 4 }) }),
      { selector: ({ noun }) => noun, minLength: 2 },
    );
    await fc.assert(
      fc.asyncProperty(facts, fc.infiniteStream(fc.constantFrom(...relations)), async (rows, random) => {
        const candidates = rows.map(({ noun, updatedAt, number }) =>
          stated(`The ${noun} is checked within ${number} days.`, { updatedAt, item: noun }, { subject: noun }),
        );
        const { claims } = await curateClaims(
          candidates,
          curatorOptions({ relation: () => random.next().value ?? "same" }),
        );
        expect(claims).toHaveLength(rows.length);
        expect(claims.every(({ status }) => status === "current")).toBe(true);
      }),
    );
  });
});

describe("a person's decisions", () => {
  const same = { updatedAt: "2026-03-01" };
  const pair = [draft("a", same), draft("b", same)];
  const pins = [{ statement: "Statement a.", over: ["statement  B"], by: "Ann", at: "2026-03-04" }];

  test("a pin settles a contradiction, and stays when other things change", () => {
    const other = draft("c", same);
    expect(statuses(resolve([...pair, other], [conflict("a", "b")], { pins }).claims)).toEqual({
      a: "current",
      b: "superseded",
      c: "current",
    });
    const later = [draft("a", same), draft("b", { updatedAt: "2026-12-01" })];
    const { claims, notes } = resolve(later, [conflict("a", "b", false)], { pins });
    expect(claims).toMatchObject([
      { id: "a", status: "current", authority: "person" },
      { id: "b", status: "superseded" },
    ]);
    expect(notes).toEqual([]);
  });

  test("a pin counts also if no model sees the contradiction any more", () => {
    expect(statuses(resolve(pair, [], { pins }).claims)).toEqual({ a: "current", b: "superseded" });
  });

  test("a pin whose documents are gone keeps its statement, and is reported", () => {
    const { claims, notes } = resolve(pair.slice(1), [], { pins });
    expect(claims.map(({ status, body }) => [status, body.kind === "statement" && body.statement])).toEqual(
      expect.arrayContaining([
        ["current", "Statement a."],
        ["superseded", "Statement b."],
      ]),
    );
    expect(notes).toMatchObject([
      {
        kind: "orphaned",
        statement: "Statement a.",
        message: expect.stringContaining("the decision of Ann of 2026-03-04"),
      },
    ]);
  });

  test("what contradicts a pin and is not named by it is reported", () => {
    const { claims, notes } = resolve(
      [...pair, draft("c", { updatedAt: "2026-12-01" })],
      [conflict("a", "b"), conflict("a", "c")],
      { pins },
    );
    expect(statuses(claims)).toEqual({ a: "current", b: "superseded", c: "superseded" });
    expect(notes).toMatchObject([{ kind: "contradicted", claims: ["c"] }]);
  });

  test("a later word of a person is stronger than an earlier decision", () => {
    const told = draft("c", { authority: "person", updatedAt: "2026-05-01" });
    expect(statuses(resolve([...pair, told], [conflict("a", "c")], { pins }).claims)).toMatchObject({
      a: "superseded",
      c: "current",
    });
  });

  test("two statements that a person called both true are no contradiction", () => {
    const decisions = { both: [{ statements: ["Statement a.", "Statement b."] }] };
    expect(statuses(resolve(pair, [conflict("a", "b")], decisions).claims)).toEqual({ a: "current", b: "current" });
  });

  test("a statement that a person removed stays away and supersedes nothing, and one on a removed page, too", () => {
    const removed = { removed: [{ statement: "Statement a.", page: "facts" }] };
    expect(statuses(resolve(pair, [conflict("a", "b")], removed).claims)).toEqual({ a: "removed", b: "current" });
    const paged = pair.map((each) => ({ ...each, page: each.id === "a" ? "winter" : "fares" }));
    expect(statuses(resolve(paged, [], { removed: [{ page: "winter" }] }).claims)).toEqual({
      a: "removed",
      b: "current",
    });
  });
});
