import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "../scripts/packages.ts";
import { featureTables, withFeatures } from "../scripts/reference/features.ts";

const of = (backend: string, title: string, status = "passed") => ({
  ancestorTitles: [backend, "its tools"],
  title,
  status,
});
const report = {
  testResults: [
    { name: "/r/packages/core/tests/conformance.test.ts", assertionResults: [of("memory", "run")] },
    {
      name: "/r/packages/one/tests/conformance.test.ts",
      assertionResults: [of("one", "run"), of("one", "wait (not here: it has no windows)", "skipped")],
    },
    {
      name: "/r/packages/hosts/claude-code/tests/conformance.test.ts",
      assertionResults: [of("claude-code", "run", "failed"), of("claude-code", "wait")],
    },
  ],
};

test("each behaviour is a row, each backend a column, and each reason a note", () => {
  expect(featureTables(report)).toBe(`### its tools

|  | claude-code | one |
| --- | :-: | :-: |
| run | failed | ✓ |
| wait | ✓ | no (1) |

Why not:

1. it has no windows
`);
});

test("the features table is the same whichever suite ended first", () => {
  const skipped = of("claude-code", "hold (not here: it has none)", "skipped");
  const [memory, one, claude] = report.testResults.map((result) => ({ ...result }));
  if (!memory || !one || !claude) throw new Error("The report has three suites.");
  claude.assertionResults = [...claude.assertionResults, skipped];
  const first = featureTables({ testResults: [memory, one, claude] });
  expect(featureTables({ testResults: [claude, one, memory] })).toBe(first);
});

test("generated tables replace the text between the marks, and the rest of the document stays", () => {
  const document = readFileSync(join(root, "docs/backends.md"), "utf8");
  const written = withFeatures(document, report);
  expect(written).toContain("| run | failed | ✓ |");
  const prose = document.slice(0, document.indexOf("<!-- Made by"));
  expect(written.startsWith(prose)).toBe(true);
  expect(withFeatures(written, report)).toBe(written);
  expect(() => withFeatures("no marks", report)).toThrow("The document needs the lines");
});
