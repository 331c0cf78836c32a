import { execFileSync } from "node:child_process";
import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { BUILTIN_TOOL_NAMES } from "@anthropic-ai/claude-agent-sdk";
import { expect, test } from "vitest";
import { root } from "../scripts/packages.ts";
import { blocksOf, type Document, proseOf, readDocuments } from "./support/markdown.ts";
import { measuredWords, rate, readProse } from "./support/prose.ts";

const documents = readDocuments([
  "*.md",
  "docs/**/*.md",
  "packages/{*,hosts/*,stores/*}/README.md",
  "examples/**/*.md",
]);
const codeFiles = globSync(
  ["packages/{*,hosts/*,stores/*}/{src,tests,bin,demo}/**/*.*", "{scripts,tests,bench,examples}/**/*.*", "*.json"],
  {
    cwd: root,
    exclude: ["**/node_modules/**", "**/*.md"],
  },
);
const code = codeFiles.map((path) => readFileSync(join(root, path), "utf8")).join("\n");
const words = new Set([...(code.match(/[\w$]+/g) ?? []), ...BUILTIN_TOOL_NAMES]);

test.each(documents)("$path: every link leads to a file and a heading that exist", (document) => {
  const links = [...document.text.matchAll(/\]\((?!https?:)([^)\s]+)\)/g)].map(([, target = ""]) => target);
  expect(links.filter((target) => !leadsSomewhere(target, document))).toEqual([]);
});

test.each(documents)("$path: every path that is named exists", (document) => {
  const paths = inlineCode(document).filter((text) =>
    /^[\w.@-]+(\/[\w.@*-]+)*(\/|\.(ts|js|json|jsonc|yaml|md))$/.test(text),
  );
  const ours = paths.filter((path) => /^(packages|scripts|tests|bench|docs|examples|\.ci|src)\//.test(path));
  const places = [root, dirname(join(root, document.path)), ...globSync(join(root, "packages/{*,hosts/*,stores/*}"))];
  expect(ours.filter((path) => !places.some((place) => globSync(path, { cwd: place }).length > 0))).toEqual([]);
});

test.each(documents)("$path: every symbol that is named is in the code", (document) => {
  const symbols = inlineCode(document).flatMap((text) => {
    const [, name = "", call] = /^(?:[a-z]+\.)?([A-Za-z]\w*)(\(.*\))?\??$/.exec(text) ?? [];
    return call !== undefined || /[a-z][A-Z]/.test(name) ? [name] : [];
  });
  expect(symbols.filter((name) => !words.has(name))).toEqual([]);
});

test("the port in ARCHITECTURE.md is the one in the code", () => {
  const source = new Set(readFileSync(join(root, "packages/protocol/src/host/backend.ts"), "utf8").split("\n"));
  const shown = documents.filter(({ path }) => path === "ARCHITECTURE.md").flatMap(blocksOf);
  const lines = shown.flatMap(({ language, code }) => (language === "ts" ? code.split("\n") : []));
  expect(lines.length).toBeGreaterThan(10);
  expect(lines.filter((line) => !source.has(line) && line !== "  // …")).toEqual([]);
});

test("no file names a path of a private machine or a registry", () => {
  const stray = [/(?<![\w.])\/(?:root|work|Users)\/\w/, /\b(?:artifactory|codeartifact|jfrog|verdaccio)\b/i];
  const tracked = execFileSync("git", ["ls-files", "-co", "--exclude-standard"], { cwd: root, encoding: "utf8" });
  const files = tracked.split("\n").filter((path) => path !== "" && existsSync(join(root, path)));
  const found = files.flatMap((path) => {
    const lines = readFileSync(join(root, path), "utf8").split("\n");
    return lines.flatMap((line, index) =>
      stray.some((pattern) => pattern.test(line)) ? [`${path}:${index + 1}: ${line}`] : [],
    );
  });
  expect(found.filter((line) => !line.startsWith("tests/prose.test.ts"))).toEqual([]);
});

function inlineCode(document: Document): string[] {
  return [...proseOf(document).matchAll(/`([^`\n]+)`/g)].map(([, text = ""]) => text);
}

function leadsSomewhere(target: string, { path, text }: Document): boolean {
  const [file = "", heading] = target.split("#");
  const found = file === "" ? join(root, path) : join(root, dirname(path), file);
  if (!existsSync(found)) return false;
  return heading === undefined || headings(file === "" ? text : readFileSync(found, "utf8")).includes(heading);
}

function headings(text: string): string[] {
  const titles = [...text.matchAll(/^#+ (.+)$/gm)].map(([, title = ""]) => title);
  return titles.map((title) =>
    title
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, "")
      .replaceAll(" ", "-"),
  );
}

/** The maximum number of occurrences of each measured word per 10,000 words, a little above the current rates. */
const limits = { docs: 3, comments: 3, help: 3, errors: 3, "test titles": 1 };
const kinds = ["docs", "comments", "help", "errors", "test titles"] as const;

test.each(kinds)("the %s have hardly any of the words that plain English avoids", (kind) => {
  const text = readProse()[kind];
  const rates = Object.entries(measuredWords).map(([word, pattern]) => ({ word, rate: rate(text, pattern) }));
  expect(rates.filter((each) => each.word !== "if" && each.rate > limits[kind])).toEqual([]);
});

test.each(["docs", "comments", "test titles"] as const)("conditions in the %s begin with if", (kind) => {
  expect(rate(readProse()[kind], measuredWords.if ?? /$^/g)).toBeGreaterThanOrEqual(20);
});
