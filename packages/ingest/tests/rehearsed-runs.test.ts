import { expect, test } from "vitest";
import type { SourceItem } from "../src/sources/source.ts";
import { sourceOf } from "./support/corpus/corpus.ts";
import { extracted, ScriptedModels } from "./support/models/scripted-models.ts";
import { foundIn, TestIngest } from "./support/test-ingest.ts";

const fact = "Passengers with a pet pay 8 euro more on every route.";
const page: SourceItem = { id: "pets", title: "Pets", text: fact, kind: "page", authority: "document" };
const light = { candidates: [extracted(fact)] };

test("what a script said about a page is not what a model that stops short falls back on", async () => {
  const ingest = new TestIngest();
  const source = sourceOf([page]);
  const rehearsed = await ingest.run(source, {
    models: new ScriptedModels({ light }, "rehearsal of a model"),
    isRehearsed: true,
  });
  expect(foundIn(rehearsed.checked)).toEqual([`pets: ${fact}`]);
  const stopped = await ingest.run(source, { models: new ScriptedModels({}, "a model") });
  expect(foundIn(stopped.checked)).toEqual([]);
  await ingest.run(source, { models: new ScriptedModels({ light }, "a model") });
  await ingest.run(source, {
    models: new ScriptedModels({ light: { candidates: [] } }, "a script"),
    isRehearsed: true,
  });
  const other = await ingest.run(source, { models: new ScriptedModels({}, "another model") });
  expect(foundIn(other.checked)).toEqual([`pets: ${fact}`]);
});
