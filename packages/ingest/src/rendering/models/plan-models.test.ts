import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import type { CheckedCandidate } from "../../claims/checked-candidate.ts";
import type { Claim, ClaimSource } from "../../claims/claim.ts";
import { curateClaims } from "../../curation/curate-claims.ts";
import { curatorOptions, stated } from "../../curation/scripted-curator-for-tests.ts";
import type { modelParts } from "../../sources/candidate.ts";
import { formatWritten, parseWritten } from "../written-record.ts";
import type { CheckModels } from "./check-models.ts";
import { type ModelsInput, planModels } from "./plan-models.ts";
import { openTrips, type TripsForTests } from "./trips-for-tests.ts";

let trips: TripsForTests;
beforeAll(async () => {
  trips = await openTrips();
});
afterAll(() => trips.close());

const file = "context/models/trips.yaml";
const check: CheckModels = (files, options) => trips.context.metrics.checkFiles(files, options);

function part(
  kind: (typeof modelParts)[number],
  name: string,
  entry: Record<string, unknown>,
  source: Partial<ClaimSource> = {},
  model = "trips",
): CheckedCandidate {
  const body = {
    kind: "model-part",
    model,
    table: `w.main.${model}`,
    part: kind,
    name,
    entry: kind === "model" ? entry : { name, ...entry },
  } as const;
  return {
    body: body as CheckedCandidate["body"],
    source: stated("x", { source: "looker", item: "trips.view.lkml", authority: "certified", ...source }).source,
  };
}

const claimsOf = async (candidates: readonly CheckedCandidate[]) =>
  (await curateClaims(candidates, curatorOptions())).claims;
const model = part("model", "trips", { table: "main.trips", primary_key: ["id"], description: "Rides." });
const status = part("dimension", "status", {});
const completed = part("measure", "completed_trips", { agg: "count", filters: ["status = 'completed'"] });
const minutes = part("measure", "minutes", { agg: "sum", expr: "minutes" });

async function plan(
  candidates: readonly CheckedCandidate[] | readonly Claim[],
  texts: Record<string, string> = {},
  more: Partial<ModelsInput> = {},
) {
  const claims = candidates.every((each) => "status" in each)
    ? candidates
    : await claimsOf(candidates as readonly CheckedCandidate[]);
  const files = Object.entries(texts).map(([path, text]) => ({ file: path, text, name: String(parse(text).name) }));
  const input: ModelsInput = {
    claims,
    files,
    decisions: {},
    today: "2026-03-04",
    check,
    signal: new AbortController().signal,
    written: { files: new Map(), isMerged: false },
    ...more,
  };
  const planned = await planModels(input);
  const after = { ...texts };
  for (const { file: path, after: text } of planned.files)
    if (text === undefined) delete after[path];
    else after[path] = text;
  return { ...planned, after, next: { written: parseWritten(formatWritten(planned.written)) } };
}

test("a model is written with its entries after its measures ran, and an unchanged run changes nothing", async () => {
  const first = await plan([completed, model, status, minutes]);
  expect(first.notes).toEqual([]);
  expect(first.after[file]).toBe(`name: trips
connection: w
table: main.trips
description: Rides.
primary_key:
  - id
dimensions:
  - name: status
measures:
  - name: completed_trips
    agg: count
    filters:
      - status = 'completed'
  - name: minutes
    agg: sum
    expr: minutes
`);
  expect(first.files[0]?.changes).toContainEqual({
    subject: "trips.measures.minutes",
    kind: "model",
    after: '{"name":"minutes","agg":"sum","expr":"minutes"}',
  });
  expect(await plan([minutes, status, model, completed], first.after, first.next)).toMatchObject({
    files: [],
    notes: [],
  });
});

describe("a model over a statement", () => {
  const statement = "SELECT status, count(*) AS n FROM trips GROUP BY 1";
  const over = (each: CheckedCandidate): CheckedCandidate => {
    if (each.body.kind !== "model-part") return each;
    const { table: _, ...body } = each.body;
    return { ...each, body: { ...body, connection: "w" } };
  };
  const head = over(part("model", "trips", { sql: statement, description: "Trips by status." }));
  const total = over(part("measure", "total", { agg: "sum", expr: "n" }));
  const text = `name: trips
connection: w
sql: ${statement}
description: Trips by status.
measures:
  - name: total
    agg: sum
    expr: n
`;

  test("is written with the statement and without a table, and changes with it", async () => {
    const first = await plan([total, head]);
    expect(first.notes).toEqual([]);
    expect(first.after[file]).toBe(text);
    expect((await plan([head, total], first.after, first.next)).files).toEqual([]);
    const changed = over(part("model", "trips", { sql: `${statement} ORDER BY 1` }));
    const next = await plan([changed, total], first.after, first.next);
    expect(parse(next.after[file] ?? "")).toMatchObject({ sql: `${statement} ORDER BY 1` });
  });

  test("that becomes one over a table, or the other way round, has one of both", async () => {
    const [first, table] = [await plan([total, head]), await plan([model, minutes])];
    const toTable = await plan([model, minutes], first.after, first.next);
    expect(parse(toTable.after[file] ?? "")).toEqual(parse(table.after[file] ?? ""));
    const toStatement = await plan([total, head], table.after, table.next);
    expect(parse(toStatement.after[file] ?? "")).toEqual(parse(text));
  });

  test("is left out as a whole if the statement does not run, and others are written", async () => {
    const wrong = over(part("model", "trips", { sql: "SELECT nothing FROM trips" }));
    const riders = part("measure", "riders", { agg: "count" }, {}, "riders");
    const { after, notes } = await plan([wrong, total, riders]);
    expect(Object.keys(after)).toEqual(["context/models/riders.yaml"]);
    expect(notes).toMatchObject([{ kind: "left-out", message: expect.stringMatching(/^trips\.sql is not written: /) }]);
  });

  test("is not put into a person's file over a table", async () => {
    const own = "name: trips\ntable: main.trips\n";
    const { files, notes } = await plan([total, head], { [file]: own });
    expect(files).toEqual([]);
    expect(notes).toMatchObject([
      { kind: "kept", message: "trips.table is a person's and stays, although documents define it differently." },
    ]);
  });
});

test("two sources that define one model are merged by entries, and one entry with two meanings is not written", async () => {
  const dbt = { source: "dbt", item: "schema.yml" };
  const other = [
    part("dimension", "status", {}, dbt),
    part("measure", "minutes", { agg: "avg", expr: "minutes" }, dbt),
    part("measure", "trips", { agg: "count" }, dbt),
  ];
  const { after, notes } = await plan([model, status, minutes, ...other]);
  expect(parse(after[file] ?? "")).toMatchObject({ dimensions: [{ name: "status" }], measures: [{ name: "trips" }] });
  expect(notes).toMatchObject([
    {
      kind: "contested",
      message: "Sources disagree about measure minutes of the model trips. Write the right one into its file.",
    },
  ]);
});

describe("what the warehouse refuses is left out with its reason", () => {
  test("a measure of a column that does not exist, and the metric that needs it", async () => {
    const broken = part("measure", "broken", { agg: "sum", expr: "nothing" });
    const ratio = part("metric", "share", { type: "ratio", numerator: "broken", denominator: "minutes" });
    const { after, notes } = await plan([model, minutes, broken, ratio]);
    expect(parse(after[file] ?? "")).toMatchObject({ measures: [{ name: "minutes" }] });
    expect(after[file]).not.toContain("share");
    expect(notes.map(({ kind, message }) => `${kind} ${message.split(":")[0]}`).sort()).toEqual([
      "left-out trips.measures.broken is not written",
      "left-out trips.metrics.share is not written",
    ]);
  });

  test("a primary key that is not unique, and a join that multiplies rows", async () => {
    const riders = [
      part("model", "riders", { primary_key: ["id"] }, {}, "riders"),
      part("dimension", "city", {}, {}, "riders"),
    ];
    const join = part("join", "riders", {
      to: "riders",
      on: [["rider_id", "city"]],
      relationship: "many_to_one",
      name: undefined,
    });
    const wrong = part("model", "trips", { primary_key: ["status"] });
    const good = part("join", "rider", { to: "riders", on: [["rider_id", "id"]], relationship: "many_to_one" });
    const { after, notes } = await plan([wrong, minutes, join, good, ...riders]);
    expect(parse(after[file] ?? "")).not.toHaveProperty("primary_key");
    expect(parse(after[file] ?? "").joins).toEqual(
      expect.arrayContaining([expect.objectContaining({ name: "rider", to: "riders" })]),
    );
    expect(notes.map(({ message }) => message).join("\n")).toContain(
      "trips.primary_key is not written: The primary key of trips is not unique",
    );
  });

  test("a model over a table that does not exist, and others are written", async () => {
    const ghost = [part("measure", "fare_total", { agg: "sum", expr: "fare_total" }, {}, "trips_v9")];
    const { after, notes } = await plan([model, minutes, ...ghost]);
    expect(Object.keys(after)).toEqual([file]);
    expect(notes).toMatchObject([{ kind: "left-out", message: expect.stringContaining("The scan found no table") }]);
  });
});

test("nothing is written if a file of a person is wrong, or if no connection can be asked", async () => {
  const wrong = {
    "context/models/riders.yaml": "name: riders\ntable: main.riders\nmeasures:\n  - name: n\n    agg: summ\n",
  };
  const broken = await plan([model, minutes], wrong);
  expect(broken.files).toEqual([]);
  expect(broken.notes).toMatchObject([
    {
      kind: "unchecked",
      message: expect.stringMatching(
        /^context\/models\/riders\.yaml:5: .*No model is changed until it is corrected\.$/,
      ),
    },
  ]);
  expect(await plan([model, minutes], {}, { check: undefined })).toMatchObject({
    files: [],
    notes: [{ kind: "unchecked" }],
  });
});

describe("a person's model", () => {
  const own = `# ours
name: trips
table: main.trips # the busy one
measures:
  # agreed with finance
  - name: minutes
    agg: max
    expr: minutes
    format: "0"
`;

  test("keeps its entries, comments and order, gets the others, and what documents define otherwise is reported", async () => {
    const { after, notes } = await plan([model, status, minutes, completed], { [file]: own });
    expect(after[file]).toMatch(
      /^# ours\nname: trips\ntable: main\.trips # the busy one\nmeasures:\n {2}# agreed with finance\n {2}- name: minutes\n {4}agg: max\n {4}expr: minutes\n {4}format: "0"\n {2}- name: completed_trips/,
    );
    expect(after[file]).not.toContain("connection");
    expect(notes).toMatchObject([
      {
        kind: "kept",
        message: "trips.measures.minutes is a person's and stays, although documents define it differently.",
      },
    ]);
  });

  test("keeps an entry that a person changed, and one that a person removed stays away", async () => {
    const first = await plan([model, status, minutes, completed]);
    const text = (first.after[file] ?? "")
      .replace("expr: minutes", "expr: minutes * 60")
      .replace(/dimensions:\n.*\n/, "");
    const next = await plan([model, status, minutes, completed], { [file]: text }, first.next);
    expect(next.after[file]).toBe(text);
    expect(next.removed).toEqual([{ model: "trips", entry: "dimensions.status", at: "2026-03-04" }]);
    const later = await plan([model, completed], { [file]: text }, first.next);
    expect(later.notes).toMatchObject([
      {
        kind: "kept",
        message: "trips.measures.minutes is a person's and stays, although no document mentions it any more.",
      },
    ]);
    expect(later.after[file]).toContain("minutes * 60");
  });

  test("that was removed stays away, and one that was renamed is found again", async () => {
    const first = await plan([model, minutes]);
    const gone = await plan([model, minutes], {}, first.next);
    expect(gone.removed).toEqual([{ model: "trips", at: "2026-03-04" }]);
    expect(gone.files).toEqual([]);
    expect(
      (await plan([model, minutes], {}, { ...gone.next, decisions: { removed: [...gone.removed] } })).files,
    ).toEqual([]);
    const renamed = { "context/models/rides.yaml": first.after[file] ?? "" };
    const moved = await plan([model], renamed, first.next);
    expect(Object.keys(moved.after)).toEqual(["context/models/rides.yaml"]);
    expect(moved.after["context/models/rides.yaml"]).not.toContain("measures");
  });
});

test("an entry without a source is removed if it is as it was written, and the file with the last one", async () => {
  const first = await plan([model, status, minutes]);
  const next = await plan([model, status], first.after, first.next);
  expect(next.after[file]).not.toContain("minutes");
  expect((await plan([], first.after, first.next)).after).toEqual({});
});
