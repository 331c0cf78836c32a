import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../scripts/packages.ts";
import { proseOf, readDocuments } from "./markdown.ts";
import { readSources } from "./source-graph.ts";

/** Reads the repository's prose, by kind of text. */
export function readProse(): Readonly<Record<"docs" | "comments" | "help" | "errors" | "test titles", string>> {
  const documents = readDocuments(["*.md", "docs/**/*.md", "packages/**/README.md", "examples/**/*.md"]);
  const sources = readSources();
  const code = sources.map(({ text }) => text).join("\n");
  const commands = sources.filter(({ path }) => /\/(cli|bridle)\/src\/(commands|.*options)/.test(path));
  const tests = globSync(
    [
      "packages/{*,hosts/*,stores/*}/{src,tests}/**/*.test.ts",
      "packages/conformance/src/**/*.ts",
      "tests/**/*.test.ts",
    ],
    { cwd: root },
  );
  return {
    docs: documents.map((document) => withoutTables(proseOf(document))).join("\n"),
    comments: commentsOf(code),
    help: commands.flatMap(({ text }) => stringsAfter(text, /(?:description|summary|notes):\s*/g)).join("\n"),
    errors: sources.flatMap(({ text }) => stringsAfter(text, /Error\(\s*|message = /g)).join("\n"),
    "test titles": tests
      .flatMap((path) =>
        stringsAfter(
          readFileSync(join(root, path), "utf8"),
          /(?:\b(?:test|it|describe|behaviour)(?:\.\w+)*|[\])]\))\(\s*/g,
        ),
      )
      .join("\n"),
  };
}

function withoutTables(text: string): string {
  return text.replaceAll(/^<!-- generated[\s\S]*?<!-- \/generated.*$/gm, "");
}

function stringsAfter(code: string, before: RegExp): string[] {
  const literal = /"(?:[^"\\]|\\.)*"|`(?:[^`\\]|\\.)*`/y;
  return [...code.matchAll(before)].flatMap(({ index, 0: found }) => {
    literal.lastIndex = index + found.length;
    const text = literal.exec(code)?.[0];
    return text === undefined ? [] : [text.slice(1, -1)];
  });
}

/** The words that plain English avoids, with patterns that count them, and `if`. Their rates show how plain the prose is. */
export const measuredWords: Readonly<Record<string, RegExp>> = {
  if: /\bif\b/gi,
  "where (condition)":
    /(?:^|[.,;:(]\s+)where\b(?! (?:to|the (?:files|tests|code)))|\bwhere (?:there (?:is|are)|it (?:is|has|can)|they|that|one|none|nobody|somebody|no )/gim,
  "told, tells": /\b(?:told|tells?)\b/gi,
  "goes on, gone on": /\b(?:goes|gone|going|went) on\b/gi,
  stands: /\b(?:stands?|stood|standing)\b(?! (?:alone|for)\b)/gi,
};

/**
 * Constructions that read as clumsy if they are frequent. No test limits them; `npm run prose` compares their rates with those of other
 * projects.
 */
export const clumsyWords: Readonly<Record<string, RegExp>> = {
  "what is, what it": /\bwhat (?:is|was|are|were|it|they|a|an|the|each|has|had|can|may)\b(?![^.?!]*\?)/gi,
  "of which, whose": /\b(?:of which|whose)\b/gi,
  "say, says": /\bsays?\b/gi,
  "is no": /(?<!\bthere )\b(?:is|are|was|were) no\b(?! longer)/gi,
  beside: /\bbeside\b(?! the point)/gi,
  "also if, also with": /\balso (?:if|with|when|after|in|for)\b/gi,
};

/** Reads the documents and comments of another project from its folder. */
export function readProseOf(folder: string): Readonly<Record<"docs" | "comments", string>> {
  const textsOf = (pattern: string) =>
    globSync(pattern, { cwd: folder, exclude: ["**/node_modules/**", "**/dist/**", "**/CHANGELOG.md"] }).map((path) =>
      readFileSync(join(folder, path), "utf8"),
    );
  const documents = textsOf("**/*.{md,mdx}").map((text) => text.replaceAll(/^```[\s\S]*?^```/gm, ""));
  return { docs: documents.join("\n"), comments: commentsOf(textsOf("**/*.{ts,tsx,js}").join("\n")) };
}

function commentsOf(code: string): string {
  return (code.match(/\/\*\*?[\s\S]*?\*\/|(?<=^\s*|[;,{)]\s+)\/\/ .*$/gm) ?? []).join("\n");
}

/** Returns the occurrences per 10,000 words. */
export function rate(text: string, pattern: RegExp): number {
  const words = text.match(/[A-Za-z][A-Za-z'’-]*/g)?.length ?? 0;
  return words === 0 ? 0 : ((text.match(pattern)?.length ?? 0) / words) * 10_000;
}
