import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { decisionsFile } from "./decision-schema.ts";
import { addDecisions, parseDecisions, readDecisions } from "./parse-decisions.ts";

const text = `# agreed in March
pins:
  - statement: Retention is a share of riders. # by finance, too
    over: [Retention is a share of passes.]
    by: Ann
`;

test("decisions are read, and a project without the file has none", () => {
  expect(parseDecisions(text)).toMatchObject({
    value: {
      pins: [{ statement: "Retention is a share of riders.", over: ["Retention is a share of passes."], by: "Ann" }],
    },
    problems: [],
  });
  expect(readDecisions({ projectDir: tmpdir() })).toEqual({ decisions: {}, text: "" });
});

test("a wrong decision stops ingest, with its place and the nearest name", () => {
  const projectDir = mkdtempSync(join(tmpdir(), "bridle-decisions-"));
  onTestFinished(() => rmSync(projectDir, { recursive: true }));
  mkdirSync(join(projectDir, "context"));
  const wrong = (content: string) => {
    writeFileSync(join(projectDir, decisionsFile), content);
    return () => readDecisions({ projectDir });
  };
  expect(wrong("pins:\n  - statment: A\n")).toThrow(/^context\/decisions\.yaml:2:5: .*statement/);
  expect(wrong("pins:\n  - statement: A\n    overr: [B]\n")).toThrow(
    'context/decisions.yaml:3:5: unknown key "overr". Did you mean "over"? Nothing is ingested until it is corrected.',
  );
  expect(wrong("removed:\n  - by: Ann\n")).toThrow("must name a statement, page, model, description or join");
  expect(wrong("pins: [")).toThrow("context/decisions.yaml:1:8: This is not YAML");
});

test("new decisions are added to the file, and its comments and order stay", () => {
  const added = addDecisions(text, {
    pins: [{ statement: "B: with colon", at: "2026-03-04" }],
    removed: [{ statement: "C", page: "fares" }],
  });
  expect(added).toBe(
    `${text}  - statement: "B: with colon"\n    at: 2026-03-04\nremoved:\n  - statement: C\n    page: fares\n`,
  );
  expect(addDecisions("", { removed: [{ page: "winter" }] })).toBe(
    "# What people decided about facts. Ingest obeys it. Remove an entry to undo it.\n\nremoved:\n  - page: winter\n",
  );
  expect(addDecisions(text, {})).toBe(text);
  expect(parseDecisions(added).problems).toEqual([]);
});
