import type { Models } from "@bridle/app/status";
import { expect, test } from "vitest";
import { formatModels } from "./format-models.ts";

const row: Models["models"][number] = {
  id: "small-1",
  source: "host",
  displayName: null,
  aliases: [],
  roles: [],
  contextWindow: null,
  price: null,
};
const models = (...rows: Partial<typeof row>[]): Models => ({
  backend: "gateway",
  asked: true,
  reason: null,
  tableDate: "2026-01-02",
  models: rows.map((each) => ({ ...row, ...each })),
});

test("each model has its figures, aliases and roles, and each figure names its source", () => {
  const priced = { input: 1, output: 2.5, cacheRead: null, cacheWrite: null, cacheWrite1h: null };
  const text = formatModels(
    models(
      {
        displayName: "Small",
        aliases: ["s"],
        roles: ["default", "judge"],
        contextWindow: { tokens: 200_000, source: "host" },
        price: { ...priced, source: "table" },
      },
      { id: "large-1", source: "bridle.yaml", contextWindow: { tokens: 1_050_000, source: "table" } },
      { id: "own", price: { ...priced, source: "bridle.yaml" } },
    ),
  );
  expect(text).toBe(`Model      Context   Input/output
small-1       200k         1/2.5*
  Small; alias s; used by default, judge
large-1+    1.05M*              -
own              -         1/2.5+

Asked of gateway.
* from the table of 2026-01-02 that comes with Bridle
+ from bridle.yaml
- neither gateway nor the table contains it
Input/output: US dollars for a million tokens.
`);
});

test("the table explains why a host was not asked", () => {
  expect(formatModels({ ...models({}), asked: false, reason: "KEY is missing" })).toContain(
    "gateway was not asked: KEY is missing.",
  );
});

test("no line exceeds 80 columns or a narrower terminal, except for a longer name", () => {
  const long = models(
    {
      id: "a-model-with-a-rather-long-name".repeat(2),
      roles: Array.from({ length: 30 }, (_, index) => `role-${index}`),
    },
    { id: "b".repeat(100), displayName: "What it is called, in words" },
  );
  for (const columns of [undefined, 60, 200]) {
    const lines = formatModels(long, columns).split("\n");
    const tooLong = lines.filter((line) => line.length > Math.min(columns ?? 80, 80));
    expect(tooLong.every((line) => /^\S+$/.test(line))).toBe(true);
  }
});

test("control characters in names of models are removed", () => {
  expect(formatModels(models({ id: "x\u001b[2J", displayName: "y\u001b[1m" }))).not.toContain("\u001b");
  const words = { aliases: ["a\u001b[2J"], roles: ["r\u202e"] };
  expect(formatModels({ ...models(words), asked: false, reason: "z\u0007" })).not.toMatch(/[^\P{C}\n]/u);
});

test("a host without models is reported", () => {
  expect(formatModels(models())).toBe("No model is listed.\n\nAsked of gateway.\n");
});
