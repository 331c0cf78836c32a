import type { RehearsedRequest, StepInput } from "@bridle/rehearsal";
import { expect, onTestFinished, test } from "vitest";
import { createContextKnowledge } from "../src/runs/context-knowledge.ts";
import { sourceOf } from "./support/corpus/corpus.ts";
import { openFerryContext } from "./support/ferry-context.ts";
import { stageOf } from "./support/models/prompts.ts";
import { startModels } from "./support/start-models.ts";
import { foundIn, TestIngest } from "./support/test-ingest.ts";

const text = `# Bookings

bookings.sailing_id is the id of the sailing that was booked.

bookings.passenger_id is the id of the vessels in the register.

There were many bookings in the spring of this archive.

Salaries are in hr.main.salaries of the company.

The table bookings has one row for each booking.
`;
const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));

const cited = (index: number) => ({ passage: "p1", quote: lines[index] ?? "" });
const claim = (index: number, statement: string) => ({
  call: "propose_claim",
  with: { ...cited(index), statement, subject: "bookings", topic: "bookings", category: "definition" },
});

/** Plays a model that looks things up, measures, and makes right and wrong proposals. */
function work({ step }: RehearsedRequest): StepInput {
  const join = (index: number, from: string, to: string) => ({
    call: "propose_join",
    with: { ...cited(index), from: [from], to: [to] },
  });
  const steps: readonly StepInput[] = [
    {
      calls: [
        { call: "search_context", with: { query: "bookings" } },
        { call: "load_skill", with: { name: "general" } },
      ],
    },
    { call: "run_sql", with: { statement: "SELECT count(*) AS n FROM main.bookings" } },
    {
      calls: [
        claim(0, "bookings.sailing_id is the id of the sailing that was booked."),
        claim(2, "There were 412 bookings in the spring of this archive."),
        claim(3, "Salaries are in hr.main.salaries of the company."),
        join(0, "ferry.main.bookings.sailing_id", "ferry.main.sailings.id"),
        join(1, "ferry.main.bookings.passenger_id", "ferry.main.vessels.id"),
        {
          call: "propose_description",
          with: { ...cited(4), subject: "bookings", text: "The table bookings has one row for each booking." },
        },
      ],
    },
    { say: "Done." },
  ];
  return steps[step - 1] ?? { say: "Done." };
}

test("a unit looks up, measures and proposes with the real tools, and the warehouse decides about what it proposes", async () => {
  const context = await openFerryContext();
  const started = await startModels((request) => {
    if (stageOf(request) === "unit") return work(request);
    const passages = [{ passage: "p1", decision: "full", reason: "names columns" }];
    return { object: { passages, instructions: [] } };
  });
  onTestFinished(() => started.close());
  const knowledge = createContextKnowledge({ context, connections: ["ferry"] });
  const ingest = new TestIngest();
  const items = [{ id: "a.md", title: "Bookings", text, kind: "page", authority: "document" } as const];
  const { checked = [], outcome } = await ingest.run(sourceOf(items), { models: started.models, knowledge });
  expect(foundIn(checked)).toEqual([
    "a.md: The table bookings has one row for each booking.",
    "a.md: There were 412 bookings in the spring of this archive.",
    "a.md: bookings.sailing_id is the id of the sailing that was booked.",
    "a.md: bookings.sailing_id is the id of the sailing that was booked.",
  ]);
  expect(checked.map(({ body }) => body)).toEqual(
    expect.arrayContaining([
      { kind: "join", from: ["ferry.main.bookings.sailing_id"], to: ["ferry.main.sailings.id"] },
      expect.objectContaining({ kind: "description", subject: "ferry.main.bookings" }),
    ]),
  );
  expect(outcome.rejected.map(({ gate }) => gate).sort()).toEqual(["join", "out_of_scope"]);
  expect(outcome.rejected.find(({ gate }) => gate === "join")?.reason).toMatch(/[a-z]/);
  const results = started.asked.flatMap(({ results: found }) => found.map(({ tool }) => tool));
  expect(results).toEqual(expect.arrayContaining(["search_context", "load_skill", "run_sql", "propose_join"]));

  const again = await ingest.run(sourceOf(items), { models: started.models, knowledge });
  expect(again.checked).toEqual(checked);
  expect(again.outcome.stages.every(({ calls }) => calls === 0)).toBe(true);
});

test("parts of a model are checked beside the files of the project and their siblings", async () => {
  const context = await openFerryContext();
  const asked: string[] = [];
  const knowledge = createContextKnowledge({
    context,
    connections: ["ferry"],
    modelFiles: () => [{ file: "context/models/sailings.yaml", text: "name: sailings\ntable: ferry.main.sailings\n" }],
    checkModelFiles: async (files, { measures }) => {
      asked.push(...files.map(({ file, text: content }) => `${file}\n${content}`), ...measures);
      const isWrong = files.some(({ text: content }) => content.includes("amount_centz"));
      const failing = isWrong ? [{ name: "bookings.revenue", reason: "There is no column amount_centz." }] : [];
      return { problems: [], failing, violations: [] };
    },
  });
  const { signal } = new AbortController();
  const part = (name: string, entry: Record<string, string>, kind: "measure" | "dimension" = "measure") => ({
    kind: "model-part" as const,
    model: "bookings",
    table: "ferry.main.bookings",
    part: kind,
    name,
    entry,
  });
  const dimension = part("status", { type: "string" }, "dimension");
  const check = (expr: string) =>
    knowledge.checkModelPart?.(part("revenue", { agg: "sum", expr }), [dimension], signal);
  expect(await check("amount_cents")).toBeUndefined();
  expect(await check("amount_centz")).toBe("There is no column amount_centz.");
  expect(asked[1]).toContain("name: status");
  expect(asked).toContain("bookings.revenue");
  expect(await knowledge.checkModelPart?.(part("revenue", { agg: "guess" }), [], signal)).toMatch(
    /^It is not a valid entry of a model: measures\.0\.agg: /,
  );
});
