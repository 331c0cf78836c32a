import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Node, parseSync, Visitor } from "oxc-parser";
import { expect, test } from "vitest";
import { root } from "../scripts/packages.ts";

/**
 * Literals that must not be spread into another literal, because that hides their properties from TypeScript's check for unknown
 * properties.
 */
const literals: ReadonlySet<string> = new Set(["ObjectExpression", "ArrayExpression"]);

const files = globSync("{packages,bench,scripts,tests,examples}/**/*.{ts,tsx,js,mjs}", { cwd: root }).filter(
  (path) => !/node_modules|\/dist\/|api-types/.test(path),
);

test("no literal is spread into another literal, a call or an element", () => {
  const found = files.flatMap((path) => spreadLiterals(path, readFileSync(join(root, path), "utf8")));
  expect(found).toEqual([]);
});

test.each([
  ["an object in an object", "export const x = { a: 1, ...{ b: 2 } };"],
  ["a list in a list", "export const x = [1, ...[2, 3]];"],
  ["a list in a call", "Math.max(...[2, 3]);"],
  ["an object with a type", "export const x = { ...({ b: 2 } as const) };"],
  ["an object in an element", "export const x = <p {...{ b: 2 }} />;"],
])("the search finds %s", (_, text) => {
  expect(spreadLiterals("x.tsx", text)).toHaveLength(1);
});

function spreadLiterals(path: string, text: string): readonly string[] {
  const found: string[] = [];
  const look = ({ argument, start }: { argument: Node; start: number }) => {
    if (literals.has(withoutType(argument).type)) found.push(`${path}:${text.slice(0, start).split("\n").length}`);
  };
  const { program, errors } = parseSync(path, text, { preserveParens: false });
  expect(errors).toEqual([]);
  new Visitor({ SpreadElement: look, JSXSpreadAttribute: look }).visit(program);
  return found;
}

function withoutType(node: Node): Node {
  return node.type === "TSAsExpression" || node.type === "TSSatisfiesExpression" ? withoutType(node.expression) : node;
}
