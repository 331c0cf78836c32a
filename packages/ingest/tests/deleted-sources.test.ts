import { globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRedactor } from "@bridle/core";
import type { RehearsedModel } from "@bridle/rehearsal";
import { expect, onTestFinished, test } from "vitest";
import { writeKnowledge } from "../src/runs/changes/write-knowledge.ts";
import { ingest } from "../src/runs/ingest.ts";
import type { IngestSource } from "../src/sources/source.ts";
import { openIngestStore } from "../src/store/ingest-store.ts";
import { Corpus, sourceOf } from "./support/corpus/corpus.ts";
import type { PlantedFact, Saying } from "./support/corpus/planted-facts.ts";
import { ferryKnowledge } from "./support/ferry-knowledge.ts";
import { CuratingModel } from "./support/models/curating-model.ts";
import { passagesIn, stageOf } from "./support/models/prompts.ts";
import { startModels } from "./support/start-models.ts";

const ofTable = (id: string, subject: string, sayings: readonly Saying[]): PlantedFact => {
  return { id, kind: "duplicate", subject, topic: "bookings", category: "definition", tables: ["bookings"], sayings };
};

const shared = "bookings.sailing_id is the sailing that was booked.";
const own = "bookings.status is the state of the booking in the ledger.";
const other = "bookings.booked_at is the time when the booking was paid.";
const rule = "A group booking has at least ten passengers.";
const ownRule = "A ledger closes on the last day of the month.";
const describedColumns = { [shared]: "sailing_id", [own]: "status", [other]: "booked_at" };

const corpus = new Corpus([
  ofTable("shared", "sailing_id", [
    { document: "handbook/bookings.md", text: shared },
    { document: "ledger/columns.md", text: shared },
  ]),
  ofTable("own", "status", [{ document: "ledger/columns.md", text: own }]),
  ofTable("other", "booked_at", [{ document: "handbook/bookings.md", text: other }]),
  { ...ofTable("rule", "group booking", [{ document: "handbook/groups.md", text: rule }]), tables: [] },
  { ...ofTable("own-rule", "ledger", [{ document: "ledger/closing.md", text: ownRule }]), topic: "ledger", tables: [] },
]);

function sourceNamed(name: string): IngestSource {
  return sourceOf(
    corpus.items(1).filter(({ id }) => id.startsWith(name)),
    name,
  );
}

/** A model that also proposes descriptions of the columns in a passage. */
const model: RehearsedModel = (request) => {
  const step = new CuratingModel(corpus).step(request);
  if (stageOf(request) !== "unit" || request.step > 1 || step === undefined || !("calls" in step)) return step;
  const described = passagesIn(request.user).flatMap(({ name, text }) =>
    Object.entries(describedColumns).flatMap(([quote, column]) => {
      const entry = { passage: name, quote, subject: `ferry.main.bookings.${column}`, text: quote };
      return text.includes(quote) ? [{ call: "propose_description", with: entry }] : [];
    }),
  );
  return { calls: [...(step.calls ?? []), ...described] };
};

async function openProject() {
  const projectDir = mkdtempSync(join(tmpdir(), "bridle-deleted-sources-"));
  const stateDir = join(projectDir, ".bridle");
  const store = openIngestStore({ stateDir });
  const started = await startModels(model);
  onTestFinished(async () => {
    store.close();
    await started.close();
    rmSync(projectDir, { recursive: true });
  });
  const run = async (...names: readonly string[]) => {
    const { result } = await ingest({
      sources: names.map(sourceNamed),
      configured: names,
      store,
      models: started.models,
      knowledge: ferryKnowledge,
      redactor: createRedactor(),
      finish: (checked, reading) =>
        writeKnowledge(checked, reading, { projectDir, stateDir, mode: "apply", reason: "ingest: all" }),
    });
    return result?.changeSet.files.map(({ file }) => file);
  };
  const files = () =>
    globSync("context/{wiki,tables}/**/*.{md,yaml}", { cwd: projectDir })
      .sort()
      .map((file) => `${file}\n${readFileSync(join(projectDir, file), "utf8")}`);
  return { run, files, calls: started.calls };
}

test("a source that is deleted after unchanged runs takes away exactly what only it said, on pages and in notes about tables", async () => {
  const { run, files, calls } = await openProject();
  await run("handbook", "ledger");
  const [pages, tables] = [
    files().join(""),
    files()
      .filter((file) => file.startsWith("context/tables/"))
      .join(""),
  ];
  for (const text of [shared, own, other, rule, ownRule]) expect(pages).toContain(text);
  for (const text of [shared, own, other]) expect(tables).toContain(text);
  const asked = calls();
  expect(await run("handbook", "ledger")).toEqual([]);
  expect(await run("handbook", "ledger")).toEqual([]);

  await run("handbook");
  expect(calls()).toBe(asked);
  const left = files().join("");
  for (const text of [shared, other, rule]) expect(left).toContain(text);
  for (const text of [own, ownRule, "ledger"]) expect(left).not.toContain(text);
  const fresh = await openProject();
  await fresh.run("handbook");
  expect(files()).toEqual(fresh.files());
  expect(await run("handbook")).toEqual([]);
});
