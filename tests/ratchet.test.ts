import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "../scripts/packages.ts";

/** The maximum number of lines of a source file and of a function. Lower a limit when the longest one gets shorter. */
const longest = { file: 228, function: 60, component: 80 };

interface Length {
  readonly name: string;
  readonly lines: number;
}

const sources = globSync("packages/{*,hosts/*,stores/*}/src/**/*.{ts,tsx}", { cwd: root })
  .filter((path) => !/(\.test|-for-tests)\.tsx?$|\/conformance\//.test(path))
  .map((path) => ({ path, lines: readFileSync(join(root, path), "utf8").trimEnd().split("\n") }));

/** Lines of code without comments, so that the limit shortens no comment. */
function withoutComments(lines: readonly string[]): readonly string[] {
  return lines.filter((line) => !/^\s*(\*|\/\*|\/\/)/.test(line));
}

test("the longest source file does not grow", () => {
  const [first] = show(
    "files",
    sources.map(({ path, lines }) => ({ name: path, lines: withoutComments(lines).length })),
  );
  expect(first?.lines).toBeLessThanOrEqual(longest.file);
});

test.each([
  ["function", ".ts"],
  ["component", ".tsx"],
] as const)("the longest %s does not grow", (kind, ending) => {
  const files = sources.filter(({ path }) => path.endsWith(ending));
  const [first] = show(
    `${kind}s`,
    files.flatMap(({ path, lines }) => functionsOf(path, lines)),
  );
  expect(first?.lines).toBeLessThanOrEqual(longest[kind]);
});

function show(what: string, lengths: readonly Length[]): Length[] {
  const sorted = lengths.toSorted((a, b) => b.lines - a.lines);
  const top = sorted.slice(0, 5).map(({ name, lines }) => `${String(lines).padStart(5)}  ${name}`);
  console.log([`The longest ${what}:`, ...top].join("\n"));
  return sorted;
}

interface Span {
  readonly start: number;
  readonly end: number;
}

/** A function from its head to its closing brace, with the functions inside of it: a factory counts whole. */
function functionsOf(path: string, lines: readonly string[]): Length[] {
  return spansOf(lines).map(({ start, end }) => ({
    name: `${path}:${start + 1}  ${lines[start]?.trim()}`,
    lines: end - start + 1,
  }));
}

/** Finds functions by indentation: the formatter indents a function's head and its closing brace equally. */
function spansOf(lines: readonly string[]): Span[] {
  return lines.flatMap((line, index) => {
    if (!line.endsWith("{") || !isHead(line)) return [];
    const indent = /^\s*/.exec(line)?.[0] ?? "";
    const isOuter = (other: string) => other.startsWith(indent) && /\S/.test(other.charAt(indent.length));
    const start = /^\s*[)}]/.test(line) ? lines.findLastIndex((other, at) => at < index && isOuter(other)) : index;
    return [{ start, end: lines.findIndex((other, at) => at > index && isOuter(other)) }];
  });
}

function isHead(line: string): boolean {
  if (/^\s*(\}? ?(if|else|for|while|switch|catch|try|do|finally|class|interface)\b|return \{)/.test(line)) return false;
  return /\bfunction\b|=> \{$|\) \{$|\): .+ \{$/.test(line);
}
