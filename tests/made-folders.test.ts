import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type CallExpression, type Node, parseSync, Visitor } from "oxc-parser";
import { expect, test } from "vitest";
import { root } from "../scripts/packages.ts";

/** Node.js functions that, if recursive, also create all folders above, and never return for paths below /proc. */
const makers: ReadonlySet<string> = new Set(["mkdir", "mkdirSync"]);

const files = globSync("packages/**/{src,bin}/**/*.{ts,tsx,js,mjs}", { cwd: root }).filter(
  (path) => !/node_modules|\/dist\/|\.test\.|-for-tests\./.test(path),
);

test("folders are made by makeFolders of core, and by nothing that makes those above them too", () => {
  expect(files.length).toBeGreaterThan(1000);
  const found = files.flatMap((path) => recursiveMakers(path, readFileSync(join(root, path), "utf8")));
  expect(found).toEqual([]);
});

test.each([
  ["an option", 'import { mkdir } from "node:fs/promises"; await mkdir("a", { recursive: true });'],
  ["several options", 'mkdirSync("a", { mode: 0o700, "recursive": true });'],
  ["a member", 'fs.promises.mkdir("a", { recursive: isDeep });'],
  ["options from elsewhere", 'mkdirSync("a", options);'],
  ["another name", 'import { mkdirSync as make } from "node:fs"; make("a", { recursive: true });'],
])("the search finds %s", (_, text) => {
  expect(recursiveMakers("x.ts", text)).toHaveLength(1);
});

test("the search leaves one folder alone", () => {
  expect(
    recursiveMakers("x.ts", 'mkdirSync("a"); mkdirSync("b", { mode: 0o700 }); rm("c", { recursive: true });'),
  ).toEqual([]);
});

function recursiveMakers(path: string, text: string): readonly string[] {
  if (!/\bmkdir(?:Sync)?\b/.test(text)) return [];
  const { program, errors } = parseSync(path, text);
  expect(errors).toEqual([]);
  const found: string[] = [];
  const add = ({ start }: Node) => found.push(`${path}:${text.slice(0, start).split("\n").length}`);
  new Visitor({
    CallExpression: (call) => {
      if (isMaker(call) && call.arguments[1] !== undefined && mayBeRecursive(call.arguments[1])) add(call);
    },
    ImportSpecifier: (specifier) => {
      const { imported, local } = specifier;
      if (imported.type === "Identifier" && makers.has(imported.name) && local.name !== imported.name) add(specifier);
    },
  }).visit(program);
  return found;
}

function isMaker({ callee }: CallExpression): boolean {
  if (callee.type === "Identifier") return makers.has(callee.name);
  return (
    callee.type === "MemberExpression" && callee.property.type === "Identifier" && makers.has(callee.property.name)
  );
}

/** Whether the options contain `recursive`, or are not known at this place. */
function mayBeRecursive(options: Node): boolean {
  if (options.type !== "ObjectExpression") return options.type !== "Literal";
  return options.properties.some((each) => {
    if (each.type === "SpreadElement" || each.computed) return true;
    return each.key.type === "Identifier" ? each.key.name === "recursive" : true;
  });
}
