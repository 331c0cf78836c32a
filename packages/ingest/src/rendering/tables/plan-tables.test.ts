import { describe, expect, test } from "vitest";
import type { Claim } from "../../claims/claim.ts";
import { claimOf } from "../claims-for-tests.ts";
import { formatWritten, parseWritten } from "../written-record.ts";
import { planTables, type TablesInput } from "./plan-tables.ts";

const file = "context/tables/w/main.yaml";
const source = claimOf("x", {}, { from: [{ item: "models/schema.yml", source: "dbt", authority: "certified" }] });
const described = (subject: string, text: string, more: Partial<Claim> = {}): Claim => ({
  ...source,
  id: text.slice(0, 9),
  body: { kind: "description", subject, text },
  ...more,
});
const join: Claim = {
  ...source,
  id: "j",
  body: { kind: "join", from: ["w.main.trips.rider_id"], to: ["w.main.riders.id"] },
};

function plan(claims: readonly Claim[], text?: string, before: Partial<TablesInput> = {}) {
  const input: TablesInput = {
    claims,
    texts: new Map(text === undefined ? [] : [[file, text]]),
    fileOf: () => file,
    today: "2026-03-04",
    decisions: {},
    written: { files: new Map(), isMerged: false },
    ...before,
  };
  const planned = planTables(input);
  const after = planned.files[0] === undefined ? text : planned.files[0].after;
  return { ...planned, after, next: { written: parseWritten(formatWritten(planned.written)) } };
}

const trips = described("w.main.trips", "One row for each trip, cancelled ones too");

test("descriptions and joins are written with their document, and an unchanged run changes nothing", () => {
  const first = plan([trips, join]);
  expect(first.after).toBe(`tables:
  trips:
    description:
      text: One row for each trip, cancelled ones too.
      source: document
      from: dbt/models/schema.yml
joins:
  - from: w.main.trips.rider_id
    to: w.main.riders.id
    status: accepted
    reason: Says dbt/models/schema.yml.
    source: document
`);
  expect(plan([join, trips], first.after, first.next)).toMatchObject({ files: [], notes: [], removed: [] });
});

test("an entry without a document is removed if it is as it was written, and the file with the last one", () => {
  const first = plan([trips, join]);
  expect(plan([trips], first.after, first.next).after).not.toContain("joins");
  expect(plan([], first.after, first.next).files).toMatchObject([{ before: first.after, after: undefined }]);
});

test("what several documents say about one thing is joined, the strongest first, and what they contest is not written", () => {
  const sources = source.sources.map((each) => ({ ...each, authority: "document" as const, item: "faq.md" }));
  const both = [described("w.main.trips", "Also from test bikes", { sources }), trips];
  expect(plan(both).after).toContain("text: One row for each trip, cancelled ones too. Also from test bikes.\n");
  expect(plan(both.map((claim) => ({ ...claim, status: "contested" }))).files).toEqual([]);
});

test("what was only inferred is a proposal of a model", () => {
  const inferred = { ...join, sources: join.sources.map((each) => ({ ...each, authority: "inferred" as const })) };
  expect(plan([inferred]).after).toMatch(/status: proposed\n[\s\S]*source: model\n/);
});

describe("a person's entry", () => {
  test("stays, and is not replaced by a document", () => {
    const own = "# ours\ntables:\n  trips:\n    description: Rides of people. # by Ann\n";
    expect(plan([trips], own).files).toEqual([]);
    const decided = `joins:\n  - from: w.main.trips.rider_id\n    to: w.main.riders.id\n    status: rejected\n`;
    expect(plan([join], decided).files).toEqual([]);
  });

  test("that was one of a document stays when it was edited, also if its document is gone, which is reported", () => {
    const first = plan([trips, join]);
    const edited = (first.after ?? "")
      .replace("cancelled ones too", "without tests")
      .replace("status: accepted", "status: rejected");
    const next = plan([trips, join], edited, first.next);
    expect(next.files).toEqual([]);
    expect(next.notes.map(({ kind }) => kind)).toEqual(["kept", "kept"]);
    const gone = plan([], edited, first.next);
    expect(gone.files).toEqual([]);
    expect(gone.notes).toMatchObject([
      { kind: "kept" },
      { kind: "kept", message: expect.stringContaining("No document mentions") },
    ]);
  });

  test("that was removed stays away", () => {
    const first = plan([trips, join]);
    const next = plan([trips, join], "tables: {}\n", first.next);
    expect(next.files).toEqual([]);
    expect(next.removed).toEqual([
      { description: "w.main.trips", at: "2026-03-04" },
      { join: "w.main.trips.rider_id → w.main.riders.id", at: "2026-03-04" },
    ]);
    expect(
      plan([trips, join], "tables: {}\n", {
        ...next.next,
        decisions: { removed: next.removed.map((each) => ({ ...each })) },
      }).files,
    ).toEqual([]);
    const merged = { written: { ...first.next.written, isMerged: true } };
    expect(plan([trips, join], "tables: {}\n", merged).after).toContain("cancelled ones too");
  });

  test("of a model gives way to a document, and comments, order and unknown keys stay", () => {
    const text =
      "# ours\ntables:\n  trips:\n    # busy\n    owner: ops\n    description: { text: Trips, source: model }\n";
    expect(plan([trips], text).after).toMatch(
      /^# ours\ntables:\n {2}trips:\n {4}# busy\n {4}owner: ops\n {4}description:/,
    );
  });
});

test("a file that is no YAML stays as it is, and is reported", () => {
  const next = plan([trips], "tables: [");
  expect(next.files).toEqual([]);
  expect(next.notes).toMatchObject([{ kind: "unreadable", message: expect.stringContaining("main.yaml:1:10") }]);
});

test("the record of what was written is read again, also with the marks of a merge and with hostile keys", () => {
  const files = new Map([
    [
      "context/wiki/a b.md",
      new Map([
        ["topic", "a / b"],
        ['heading "x": #y', "12e4567890"],
        ["0123456789", "null"],
      ]),
    ],
    ["context/models/t.yaml", new Map([["measures.x", "-"]])],
  ]);
  const text = formatWritten(files);
  expect(parseWritten(text)).toEqual({ files, isMerged: false });
  const conflicted = text
    .replace("  measures.x:", "<<<<<<< ours\n  measures.y: a1\n=======\n  measures.x:")
    .concat(">>>>>>> theirs\n");
  const { files: both, isMerged } = parseWritten(conflicted);
  expect(isMerged).toBe(true);
  expect([...(both.get("context/models/t.yaml")?.keys() ?? [])]).toEqual(["measures.y", "measures.x"]);
});
