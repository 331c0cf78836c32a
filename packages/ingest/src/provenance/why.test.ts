import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Claim } from "../claims/claim.ts";
import { compareClaims } from "../claims/compare-claims.ts";
import type { Decisions } from "../claims/decisions/decision-schema.ts";
import { claimOf, contested } from "../rendering/claims-for-tests.ts";
import { type IngestStore, openIngestStore } from "../store/ingest-store.ts";
import { explainKey, type Provenance } from "./why.ts";

let folder: string;
let store: IngestStore;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "bridle-why-"));
  store = openIngestStore({ stateDir: folder });
});
afterEach(() => {
  store.close();
  rmSync(folder, { recursive: true });
});

const texts = new Map([["v1", "# Fares\n\nGross fare is before\nrefunds. Net fare is after refunds.\n"]]);
const provenance = (decisions: Decisions = {}): Provenance => ({
  claims: () => store.claims.list(),
  stored: (id) => store.claims.read(id),
  former: (id) => store.claims.former(id),
  textOf: (version) => texts.get(version),
  decisions,
});
const quote = "Gross fare is before\nrefunds.";
const span = { version: "v1", start: 9, end: 9 + quote.length, quote, item: "fares.md" };
const gross = claimOf(
  "Gross fare is before refunds.",
  { subject: "gross fare", topic: "fares", tables: ["w.main.fares"] },
  { from: [span], page: "fares" },
);
const part = (name: string, kind: "measure" | "model", entry: object): Claim => ({
  ...gross,
  id: name,
  body: { kind: "model-part", model: "trips", table: "w.main.trips", part: kind, name, entry: { ...entry } },
  page: undefined,
});
const described: Claim = {
  ...gross,
  id: "d",
  page: undefined,
  body: { kind: "description", subject: "w.main.trips.status", text: "Where the trip is." },
};
const join_: Claim = {
  ...gross,
  id: "j",
  page: undefined,
  body: { kind: "join", from: ["w.main.trips.rider_id"], to: ["w.main.riders.id"] },
};
test("the words of a statement and what it is about are keys, in any case and with the marks of a page", () => {
  store.claims.replace([gross], new Date());
  for (const key of [gross.id, "Gross fare is before refunds", "gross fare is before refunds. [1][2]", "Gross fare"])
    expect(
      explainKey(key, provenance()).claims.map(({ id }) => id),
      key,
    ).toEqual([gross.id]);
  expect(explainKey("gross fere", provenance())).toMatchObject({ kind: undefined, nearest: ["gross fare"] });
});

const days = (...all: readonly (readonly Claim[])[]) =>
  all.forEach((claims, day) => void store.claims.replace(claims, new Date(Date.UTC(2026, 0, day + 1))));

describe("the chain", () => {
  test.each([
    ["a page by its name", "fares", "page", gross.id],
    ["a page by its file", "context/wiki/fares.md", "page", gross.id],
    ["a claim", gross.id, "claim", gross.id],
    ["a table", "w.main.fares", "table", gross.id],
    ["a column", "w.main.trips.status", "column", "d"],
    ["a column of a join", "w.main.riders.id", "column", "j"],
    ["a join", "w.main.trips.rider_id → w.main.riders.id", "join", "j"],
    ["a join with an ASCII arrow", "w.main.trips.rider_id -> w.main.riders.id", "join", "j"],
    ["a measure", "trips.revenue", "entry", "revenue"],
    ["a measure as the list of changes has it", "trips.measures.revenue", "entry", "revenue"],
  ])("leads from %s to the quote in the stored version", (_, key, kind, id) => {
    days([gross, described, join_, part("revenue", "measure", { agg: "sum", expr: "fare" })]);
    const answer = explainKey(key, provenance());
    expect(answer).toMatchObject({ key, kind, nearest: [] });
    expect(answer.claims[0]).toMatchObject({
      id,
      addedAt: "2026-01-01T00:00:00.000Z",
      sources: [{ item: "fares.md", version: "v1", start: 9, quote, state: "stored" }],
    });
  });

  test("leads from a model to all of its parts", () => {
    days([part("primary_key", "model", { primary_key: ["id"] }), part("revenue", "measure", { agg: "sum" })]);
    const { kind, claims } = explainKey("trips", provenance());
    expect([kind, claims.map(({ id }) => id)]).toEqual(["model", ["primary_key", "revenue"]]);
    expect(claims[1]?.text).toBe('trips.revenue (measure): {"agg":"sum"}');
  });

  test("says so if the quote is not in the stored version, or if there is no such version", () => {
    const forged = claimOf(
      "Net fare is before refunds.",
      {},
      {
        from: [
          { ...span, quote: "Net fare is before refunds." },
          { ...span, item: "other.md", version: "v0" },
        ],
      },
    );
    days([forged]);
    expect(explainKey(forged.id, provenance()).claims[0]?.sources.map(({ state }) => state)).toEqual([
      "missing",
      "missing",
    ]);
  });

  test("has what a claim replaced with its days, and what a former one was replaced by", () => {
    const old = claimOf(
      "The grace period is 3 minutes.",
      { subject: "grace period" },
      { from: [{ item: "grace.md" }] },
    );
    const now = claimOf(
      "The grace period is 5 minutes.",
      { subject: "grace period" },
      { from: [{ item: "grace.md" }] },
    );
    days([old], [old], [now]);
    expect(explainKey(now.id, provenance()).claims[0]).toMatchObject({
      addedAt: "2026-01-03T00:00:00.000Z",
      replaced: [{ id: old.id, text: "The grace period is 3 minutes.", endedAt: "2026-01-03T00:00:00.000Z" }],
    });
    expect(explainKey(old.id, provenance()).claims).toMatchObject([
      {
        status: "former",
        addedAt: "2026-01-01T00:00:00.000Z",
        endedAt: "2026-01-03T00:00:00.000Z",
        conflicts: [{ id: now.id }],
      },
    ]);
  });

  test("has what contradicts a claim, and what a person decided about it", () => {
    const [a, b] = contested(claimOf("Churn is 21 days."), claimOf("Churn is 28 days."));
    if (!a || !b) throw new Error();
    days([a, b]);
    const decisions = {
      pins: [
        {
          statement: "Churn is 21 days.",
          over: ["churn is **28** days"],
          by: "Ann",
          at: "2026-03-04",
          reason: "Finance agreed.",
        },
      ],
    };
    expect(explainKey(a.id, provenance(decisions)).claims[0]).toMatchObject({
      conflicts: [{ id: b.id, text: "Churn is 28 days.", status: "contested" }],
      decision: "Chosen in context/decisions.yaml. Ann on 2026-03-04: Finance agreed.",
    });
    expect(explainKey(b.id, provenance(decisions)).claims[0]?.decision).toMatch(/^Not chosen in /);
  });

  test("suggests the nearest keys if nothing is known", () => {
    days([gross, part("revenue", "measure", {})]);
    expect(explainKey("trips.revenu", provenance())).toEqual({
      key: "trips.revenu",
      kind: undefined,
      claims: [],
      nearest: ["trips.revenue"],
    });
  });
});

test("runs are compared by what was added, changed, evicted, moved, and said by other documents", () => {
  const kept = claimOf("A pass costs 29 euro.", { subject: "pass" }, { from: [{ item: "a.md" }, { item: "b.md" }] });
  const [old, now] = ["24", "12"].map((hours) =>
    claimOf(
      `A broken bike is collected within ${hours} hours.`,
      { subject: "broken bike" },
      { from: [{ item: "sla.md" }] },
    ),
  );
  const [gone, fresh] = [claimOf("Winter mode is on."), claimOf("A dock has a heartbeat.")];
  if (!old || !now) throw new Error();
  const after = [{ ...kept, status: "superseded" as const, sources: kept.sources.slice(0, 1) }, now, fresh];
  const { added, changed, evicted, resourced, moved } = compareClaims([kept, old, gone], after);
  expect([added, changed, evicted]).toEqual([[fresh], [{ before: old, after: now }], [gone]]);
  expect(resourced).toMatchObject([{ claim: { id: kept.id }, lost: ["notion: b.md"], gained: [] }]);
  expect(moved).toMatchObject([{ claim: { id: kept.id }, from: "current" }]);
});
