import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRedactor } from "@bridle/core";
import { expect, onTestFinished, test } from "vitest";
import type { IngestSource } from "../sources/source.ts";
import { openIngestStore } from "../store/ingest-store.ts";
import { nastyTexts } from "./nasty-texts-for-tests.ts";
import { createSecretRemoval, type RemoveSecrets } from "./remove-secrets.ts";
import { shortenRuns } from "./shorten-runs.ts";
import { stageSource } from "./stage-source.ts";

const page = (id: string, text: string) =>
  ({ kind: "item", item: { id, title: id, text, kind: "page", authority: "document" } }) as const;

async function stage(texts: ReadonlyMap<string, () => string>, removeSecrets: RemoveSecrets) {
  const stateDir = mkdtempSync(join(tmpdir(), "bridle-nasty-"));
  const store = openIngestStore({ stateDir });
  onTestFinished(() => {
    store.close();
    rmSync(stateDir, { recursive: true });
  });
  const source: IngestSource = {
    name: "wiki",
    type: "documents",
    async *fetch() {
      for (const [name, make] of texts) yield page(name, make());
      yield page("good", "Revenue is net of tax.");
      yield { kind: "complete", cursor: "c" };
    },
  };
  const now = () => new Date("2026-05-01T00:00:00Z");
  const run = store.runs.begin(now());
  const { signal } = new AbortController();
  const fetched = await stageSource(source, { store, run, removeSecrets, signal, now });
  return { fetched, ids: [...store.items.list()].map(({ item }) => item.id) };
}

test("hard texts of any kind end no ingest, and what follows them is stored", { timeout: 300_000 }, async () => {
  const texts = nastyTexts(40_000);
  expect(texts.size).toBeGreaterThan(55);
  const { fetched, ids } = await stage(texts, createSecretRemoval(createRedactor()));
  expect(fetched).toMatchObject({ isComplete: true, problems: [] });
  expect(ids).toContain("good");
});

test("an image of several megabytes in one line ends no ingest", { timeout: 300_000 }, async () => {
  const texts = new Map([["an inline image", nastyTexts(5_000_000).get("an inline image") ?? (() => "")]]);
  const { fetched, ids } = await stage(texts, (text) => text);
  expect(fetched.isComplete).toBe(true);
  expect(ids).toContain("good");
});

test.each(["one letter", "base64 of a text", "percent-encoding", "decimal entities", "hexadecimal without blanks"])(
  "eight megabytes of %s are left out, and the text around them is kept",
  (name) => {
    const text = `Revenue is net. ${nastyTexts(8_000_000).get(name)?.() ?? ""} Tax is not in it.`;
    expect(shortenRuns(text)).toMatch(/^Revenue is net\. \[\d+ encoded characters left out\] Tax is not in it\.$/);
  },
);

test("a text that exhausts the stack is one problem, and nothing of it is stored", async () => {
  const removeSecrets: RemoveSecrets = (text) => {
    if (text.includes("a deep text")) throw new RangeError("Maximum call stack size exceeded");
    return text;
  };
  const { fetched, ids } = await stage(new Map([["bad", () => "a deep text"]]), removeSecrets);
  expect(ids).toEqual(["good"]);
  expect(fetched.problems).toEqual([
    { source: "wiki", item: "bad", message: expect.stringContaining("It could not be checked for secrets") },
  ]);
});
