import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRedactor } from "@bridle/core";
import { expect, onTestFinished, test } from "vitest";
import { stageSource } from "../runs/stage-source.ts";
import type { IngestSource } from "../sources/source.ts";
import { openIngestStore } from "../store/ingest-store.ts";
import { explainWordless } from "./explain-wordless.ts";
import { nastyTexts } from "./nasty-texts-for-tests.ts";
import { createSecretRemoval, type RemoveSecrets } from "./remove-secrets.ts";
import { shortenRuns } from "./shorten-runs.ts";

const wordless =
  /^It has [45]\d,\d{3} characters, but (?:no words|only \d+ different words?)\. Correct it, or leave it out/;

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
  expect(fetched.isComplete).toBe(true);
  expect(ids).toContain("good");
  const left = fetched.problems.map(({ item }) => item);
  expect([...texts.keys()].filter((name) => !ids.includes(name))).toEqual(left);
  for (const { message } of fetched.problems) expect(message).toMatch(wordless);
  for (const name of ["one letter", "nested brackets", "percent-encoding"]) expect(left).toContain(name);
  expect(left).not.toContain("an inline image");
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

test.each([76, 64, 100])(
  "encoded text in lines of %i characters is left out, and the lines around it are kept",
  (width) => {
    const encoded = Buffer.from("pixels of an image ".repeat(3_000)).toString("base64");
    const lines = encoded.replaceAll(new RegExp(`.{${width}}`, "g"), "$&\n");
    for (const ends of [lines, lines.replaceAll("\n", "\r\n")]) {
      const short = shortenRuns(`Revenue is net.\n\n![x](data:image/png;base64,${ends}\nTax is not in it.`);
      expect(short).toMatch(
        /^Revenue is net\.\n\n!\[x\]\([\s\S]{0,150}\[\d+ encoded characters left out\][\s\S]{0,110}\nTax is not in it\.$/,
      );
    }
  },
);

test("a long list of paths and a table of numbers are kept", () => {
  const paths = Array.from(
    { length: 2_000 },
    (_, at) => `/srv/archive/of/the/company/with/long/names/and/years/${2 ** (at % 30)}/a.csv`,
  );
  const text = paths.join("\n");
  expect(shortenRuns(text)).toBe(text);
});

test.each([
  ["one letter", "a".repeat(30_000), "no words"],
  ["one letter with blanks", "a ".repeat(15_000), "only 1 different word."],
  ["nothing but marks", "[".repeat(30_000), "no words"],
  ["a few words", "net of tax ".repeat(3_000), "only 3 different words"],
])("a long text of %s is a problem", (_, text, reason) => {
  expect(explainWordless(text)).toContain(reason);
});

test.each([
  ["a page of a few words with an image", `Net of tax. ![x](data:image/png;base64,${"QUJD".repeat(9_000)})`],
  ["a short text of one letter", "a".repeat(19_999)],
  ["a long text of many words", Array.from({ length: 9_000 }, (_, at) => `w${at % 20}`).join(" ")],
  [
    "Han",
    `${"收入是扣除税款后的预订净额，".repeat(1_500)}${Array.from({ length: 20 }, (_, at) => `第${at}章。`).join("")}`,
  ],
])("%s may say something", (_, text) => {
  expect(explainWordless(text)).toBeUndefined();
});

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
