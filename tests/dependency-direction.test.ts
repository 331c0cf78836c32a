import { globSync, readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { join, relative } from "node:path";
import { expect, test } from "vitest";
import { type Package, readPackages } from "../scripts/packages.ts";

/** Packages of this repository that each may import. Every package has its line; a backend has core and nothing else. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  "@bridle/core": [],
  "@bridle/claude-code": ["@bridle/core"],
  "@bridle/model-api": ["@bridle/core"],
  "@bridle/rehearsal": ["@bridle/core"],
  "@bridle/store-sqlite": ["@bridle/core"],
  "@bridle/documents": ["@bridle/core"],
  "@bridle/project": [
    "@bridle/core",
    "@bridle/claude-code",
    "@bridle/model-api",
    "@bridle/rehearsal",
    "@bridle/store-sqlite",
  ],
  "@bridle/metrics": ["@bridle/core"],
  "@bridle/agent": ["@bridle/core", "@bridle/project", "@bridle/documents", "@bridle/metrics"],
  "@bridle/testing": ["@bridle/core", "@bridle/project", "@bridle/agent", "@bridle/documents", "@bridle/metrics"],
  bridle: ["@bridle/core", "@bridle/project", "@bridle/agent", "@bridle/rehearsal", "@bridle/testing"],
};

const packages = readPackages();
const names = packages.map(({ name }) => name);

test("every package has its place in the order of dependencies", () => {
  expect(Object.keys(mayImport).sort()).toEqual(names.toSorted());
});

test.each(packages)("$name imports only packages that stand below it", (pkg) => {
  const imported = importsOf(pkg).filter(({ to }) => names.includes(to) && to !== pkg.name);
  expect(imported.filter(({ to }) => !mayImport[pkg.name]?.includes(to))).toEqual([]);
  expect(
    Object.keys(pkg.dependencies).filter((to) => names.includes(to) && !mayImport[pkg.name]?.includes(to)),
  ).toEqual([]);
});

test.each(packages)("$name declares every package that it imports", (pkg) => {
  const declared = [...Object.keys(pkg.dependencies), ...Object.keys(pkg.peerDependencies), pkg.name];
  expect(importsOf(pkg).filter(({ to }) => !declared.includes(to))).toEqual([]);
});

test("nothing imports the public package", () => {
  const importers = packages.filter((pkg) => pkg.name !== "bridle" && importsOf(pkg).some(({ to }) => to === "bridle"));
  expect(importers.map(({ name }) => name)).toEqual([]);
});

test("core needs zod and the API of OpenTelemetry only, and Vitest for its conformance suite", () => {
  const core = packages.filter(({ name }) => name === "@bridle/core");
  expect(core.flatMap(({ dependencies }) => Object.keys(dependencies)).sort()).toEqual(["@opentelemetry/api", "zod"]);
  const vitest = core.flatMap(importsOf).filter(({ to }) => to === "vitest");
  expect(vitest.filter(({ file }) => !file.startsWith("src/conformance/"))).toEqual([]);
});

interface Import {
  /** Relative to the folder of the package. */
  readonly file: string;
  /** The package that is imported. */
  readonly to: string;
}

/** What the published files of a package import from other packages. */
function importsOf({ folder }: Package): Import[] {
  const files = globSync(["src/**/*.ts", "{bin,demo}/**/*.js"], { cwd: folder });
  return files
    .filter((file) => !/(\.test|-for-tests)\.ts$/.test(file))
    .flatMap((file) =>
      specifiers(join(folder, file)).map((to) => ({ file: relative(folder, join(folder, file)), to })),
    );
}

function specifiers(file: string): string[] {
  const code = readFileSync(file, "utf8").replaceAll(/^\s*(\*|\/[/*]).*$/gm, "");
  const found = [...code.matchAll(/(?:\bfrom|\bimport|\bimport\()\s*"([^"]+)"/g)].map(([, name = ""]) => name);
  return found.filter((name) => !name.startsWith(".") && !isBuiltin(name)).map(packageOf);
}

/** `@scope/name/part` is of the package `@scope/name`. */
function packageOf(specifier: string): string {
  return specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/");
}
