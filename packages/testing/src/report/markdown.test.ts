import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { gfm } from "micromark-extension-gfm";
import { expect, test } from "vitest";
import { report } from "./report.ts";
import { sampleRun } from "./sample-run-for-tests.ts";

interface Node {
  readonly type: string;
  readonly value?: string;
  readonly children?: readonly Node[];
}

function nodes(text: string): Node[] {
  const tree: Node = fromMarkdown(text, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });
  const all = (node: Node): Node[] => [node, ...(node.children ?? []).flatMap(all)];
  return all(tree);
}

const plain = sampleRun({ cases: 20 });

test("a comment begins with the summary line, the totals and the failures", () => {
  const text = report(plain, "markdown");
  const [title, , totals] = text.split("\n");
  expect(title).toBe("### ❌ order-desk: Not finished: 4 of 20 cases passed");
  expect(totals).toContain("Pass rate: 22.2% (95% interval: 9% to 45.2%) · Flaky: 0 cases · Duration: 1 min 33 s");
  expect(totals).toContain("sonnet on claude-code");
  expect(text.indexOf("greets with the name of the shop")).toBeLessThan(text.indexOf("4 cases passed"));
});

test("a failure shows the expected and the received text", () => {
  const text = report(plain, "markdown");
  expect(text).toContain("<details><summary>❌ answers in the language of the question</summary>");
  expect(text).toContain("Expected\n\n<pre>shipped</pre>\n\nReceived\n\n<pre>Your order is still being packed.</pre>");
});

test("a run that passed has no table of failures", () => {
  const passed = sampleRun({ cases: 1 });
  const text = report(passed, "markdown");
  expect(text).toMatch(/^### ✅ order-desk: 1 case passed\n/);
  expect(nodes(text).filter(({ type }) => type === "table")).toHaveLength(3); // outcomes, metrics, and the tested agent
});

test("no text of a run becomes an element, link, mention or table row", () => {
  const text = report(sampleRun({ cases: 20, trials: 2, hostile: true }), "markdown");
  const tree = nodes(text);
  const foreign = ["link", "image", "strong", "emphasis", "inlineCode", "code", "heading", "list", "delete"];
  const ours = tree.filter(({ type, children }) => foreign.includes(type) && !isOurs(type, children?.[0]?.value ?? ""));
  expect(ours).toEqual([]);
  const markup = tree
    .filter(({ type }) => type === "html")
    .map(({ value = "" }) => value.replaceAll(/<pre>[^<]*<\/pre>/g, ""));
  expect(markup.filter((value) => !/^(<\/?(details|summary)>)*$/.test(value.replaceAll(/>[^<]+</g, "><")))).toEqual([]);
  for (const table of tree.filter(({ type }) => type === "table")) {
    const widths = new Set(table.children?.map((row) => row.children?.length));
    expect(widths.size).toBe(1);
  }
  const words = tree.flatMap(({ type, value = "" }) => (type === "text" ? [value] : []));
  expect(words.filter((value) => /@octocat|#1\b|:\/\/|\p{Cc}/u.test(value.replaceAll("\n", "")))).toEqual([]);
});

function isOurs(type: string, value: string): boolean {
  return type === "heading" || (type === "strong" && /^[A-Z][a-z -]+\.?$/.test(value));
}

test("a comment with 400 cases and long texts fits GitHub's limit and counts what it leaves out", () => {
  const text = report(sampleRun({ cases: 400, trials: 5, hostile: true }), "markdown");
  expect(text.length).toBeLessThan(65_000);
  expect(text).toMatch(/And \d+ more cases: see the report in HTML or JSON\./);
  expect(nodes(text).some(({ type }) => type === "table")).toBe(true);
});
