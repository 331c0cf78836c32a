import fc from "fast-check";
import { expect, test } from "vitest";
import { validateXML } from "xmllint-wasm";
import { anyText } from "../src/report/any-text-for-tests.ts";
import { report } from "../src/report/report.ts";
import { hostileText, sampleRun } from "../src/report/sample-run-for-tests.ts";
import { xmlText } from "../src/report/xml.ts";
import { junitSchema } from "./junit-schema.ts";

async function problemsOf(xml: string): Promise<string[]> {
  const { errors } = await validateXML({ xml: { fileName: "report.xml", contents: xml }, schema: junitSchema });
  return errors.map(({ rawMessage }) => rawMessage);
}

test("a report with any texts is valid by Jenkins' schema", async () => {
  const runs = [
    sampleRun({ cases: 20 }),
    sampleRun({ cases: 20, trials: 5, hostile: true }),
    sampleRun({ cases: 400 }),
  ];
  for (const run of runs) expect(await problemsOf(report(run, "junit"))).toEqual([]);
});

test("the schema finds a fault", async () => {
  const xml = report(sampleRun({ cases: 2 }), "junit");
  expect(await problemsOf(xml.replace("<testcase ", "<testcase unknown='1' "))).not.toEqual([]);
  expect(await problemsOf(xml.replace("</testsuites>", ""))).not.toEqual([]);
});

test("any text is well-formed and is read back as it is shown", async () => {
  const texts = fc.sample(anyText, { numRuns: 300, seed: 7 });
  const xml = `<testsuites>${[...texts, hostileText].map((text) => `<testsuite name="x" tests="0" failures="0" errors="0"><system-out>${xmlText(text)}</system-out></testsuite>`).join("")}</testsuites>`;
  expect(await problemsOf(xml)).toEqual([]);
});

test("a case is a test case with its outcome and counts", () => {
  const xml = report(sampleRun({ cases: 20 }), "junit");
  expect(xml).toContain('<testsuites name="order-desk" tests="20" failures="14" errors="1" time="93.400">');
  expect(xml).toContain('skipped="1" timestamp="2026-03-14T09:26:53" id="20260314-092653-k3v9" file="agent.yaml">');
  expect(xml).toContain('<property name="model" value="sonnet"/>\n<property name="backend" value="claude-code"/>');
  expect(xml.match(/<testcase /g)).toHaveLength(20);
  expect(xml.match(/<failure /g)).toHaveLength(14);
  expect(xml).toContain('<error type="backend" message="The host answered 529 (overloaded) six times.');
  expect(xml).toContain('<skipped message="Not run: the invocation ended before this case."/>');
});

test("a failure has the expected and received text, and the output is the transcript", () => {
  const xml = report(sampleRun({ cases: 20 }), "junit");
  const [, failure] = /<failure type="metric" [^>]*>([^<]*)</.exec(xml) ?? [];
  expect(failure).toBe(
    'Metric: contains "shipped": expected ≥ 1, got 0.\nexpected: shipped\nreceived: Your order is still being packed.',
  );
  expect(xml).toContain("<system-out>User: Where is order A-1001?\nReasoning: The order has to be looked up first.");
  expect(xml).toContain("Call of lookup_order (succeeded, 38 ms): {");
  expect(xml).toContain("passed: rougeL");
});

test("one element contains all failures of all trials", () => {
  const xml = report(sampleRun({ cases: 20, trials: 5 }), "junit");
  expect(xml.match(/<failure /g)).toHaveLength(14);
  expect(xml).toContain("Metric (trial 2): ");
  expect(xml).toContain("Metric (trial 5): ");
  expect(xml).toContain("3 of 5 trials passed, 60%");
});
