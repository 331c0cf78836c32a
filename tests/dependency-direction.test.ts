import { globSync, readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { basename, dirname, join, relative } from "node:path";
import { expect, test } from "vitest";
import { type Package, readPackages } from "../scripts/packages.ts";

/**
 * The packages of this repository that each package may import. Every package may import protocol. Hosts have no line: each may import
 * core, `hosts/shared` and rehearsal, but no other host. Project may import every host.
 */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  "@bridle/protocol": [],
  "@bridle/core": [],
  "@bridle/conformance": ["@bridle/core"],
  "@bridle/host-shared": ["@bridle/core"],
  "@bridle/rehearsal": ["@bridle/core"],
  "@bridle/store-postgres": ["@bridle/core"],
  "@bridle/store-sqlite": ["@bridle/core"],
  "@bridle/documents": ["@bridle/core"],
  "@bridle/project": [
    "@bridle/core",
    "@bridle/host-shared",
    "@bridle/ingest",
    "@bridle/rehearsal",
    "@bridle/store-postgres",
    "@bridle/store-sqlite",
    "@bridle/warehouse",
  ],
  "@bridle/metrics": ["@bridle/core"],
  "@bridle/sql": [],
  "@bridle/warehouse": ["@bridle/core", "@bridle/sql"],
  "@bridle/semantic": ["@bridle/sql"],
  "@bridle/metric-formats": ["@bridle/semantic"],
  "@bridle/mcp-server": ["@bridle/core"],
  "@bridle/context": ["@bridle/core", "@bridle/semantic", "@bridle/sql", "@bridle/warehouse"],
  "@bridle/ingest": [
    "@bridle/core",
    "@bridle/context",
    "@bridle/documents",
    "@bridle/metric-formats",
    "@bridle/semantic",
    "@bridle/sql",
    "@bridle/warehouse",
  ],
  "@bridle/data": ["@bridle/core", "@bridle/context", "@bridle/ingest", "@bridle/project"],
  "@bridle/agent": [
    "@bridle/core",
    "@bridle/data",
    "@bridle/project",
    "@bridle/context",
    "@bridle/ingest",
    "@bridle/warehouse",
    "@bridle/documents",
    "@bridle/metrics",
  ],
  "@bridle/testing": ["@bridle/core", "@bridle/project", "@bridle/agent", "@bridle/documents", "@bridle/metrics"],
  "@bridle/app": [
    "@bridle/core",
    "@bridle/data",
    "@bridle/project",
    "@bridle/agent",
    "@bridle/context",
    "@bridle/documents",
    "@bridle/ingest",
    "@bridle/mcp-server",
    "@bridle/metric-formats",
    "@bridle/rehearsal",
    "@bridle/semantic",
    "@bridle/testing",
    "@bridle/warehouse",
  ],
  "@bridle/client": [],
  "@bridle/workbench": ["@bridle/client"],
  "@bridle/server": ["@bridle/app", "@bridle/mcp-server"],
  "@bridle/cli": ["@bridle/app", "@bridle/server"],
  bridle: [
    "@bridle/core",
    "@bridle/data",
    "@bridle/project",
    "@bridle/agent",
    "@bridle/context",
    "@bridle/ingest",
    "@bridle/semantic",
    "@bridle/testing",
    "@bridle/warehouse",
  ],
};

const packages = readPackages();
const hosts = packages
  .filter(({ name, folder }) => basename(dirname(folder)) === "hosts" && name !== "@bridle/host-shared")
  .map(({ name }) => name);
const allowed = (name: string) => [
  ...(name === "@bridle/protocol" ? [] : ["@bridle/protocol"]),
  ...(hosts.includes(name) ? ["@bridle/core", "@bridle/host-shared", "@bridle/rehearsal"] : []),
  ...(name === "@bridle/project" ? hosts : []),
  ...(mayImport[name] ?? []),
];
const names = packages.map(({ name }) => name);

test("every package has its place in the order of dependencies", () => {
  expect(hosts).toEqual(expect.arrayContaining(["@bridle/claude-code", "@bridle/model-api"]));
  expect([...Object.keys(mayImport), ...hosts].sort()).toEqual(names.toSorted());
});

test.each(packages)("$name imports only packages that are below it", (pkg) => {
  const imported = importsOf(pkg).filter(({ to }) => names.includes(to) && to !== pkg.name);
  expect(imported.filter(({ to }) => !allowed(pkg.name).includes(to))).toEqual([]);
  expect(Object.keys(pkg.dependencies).filter((to) => names.includes(to) && !allowed(pkg.name).includes(to))).toEqual(
    [],
  );
});

test.each(packages)("$name declares every package that it imports", (pkg) => {
  const bundled = pkg.name === "@bridle/workbench" ? Object.keys(pkg.devDependencies) : []; // the build contains its dependencies
  const declared = [...Object.keys(pkg.dependencies), ...Object.keys(pkg.peerDependencies), pkg.name, ...bundled];
  const zod = Object.keys(pkg.devDependencies).filter((name) => name === "zod"); // built packages import protocol's Zod
  expect(importsOf(pkg).filter(({ to }) => ![...declared, ...zod].includes(to))).toEqual([]);
});

test("nothing imports the public package", () => {
  const importers = packages.filter((pkg) => pkg.name !== "bridle" && importsOf(pkg).some(({ to }) => to === "bridle"));
  expect(importers.map(({ name }) => name)).toEqual([]);
});

test.each([
  ["@bridle/protocol", []],
  ["@bridle/core", ["@bridle/protocol", "@opentelemetry/api"]],
])("%s depends on nothing but %j", (name, expected) => {
  const [pkg] = packages.filter((each) => each.name === name);
  expect(Object.keys(pkg?.dependencies ?? {}).sort()).toEqual(expected);
});

/** Packages that write to a terminal or read from it. Only the command-line package may use them. */
const terminalLibraries = ["@clack/prompts", "@earendil-works/pi-tui", "commander"];

test("only cli imports terminal libraries, and only app, protocol and server of this repository", () => {
  const users = packages.filter((pkg) => importsOf(pkg).some(({ to }) => terminalLibraries.includes(to)));
  expect(users.map(({ name }) => name)).toEqual(["@bridle/cli"]);
  const cli = packages.find(({ name }) => name === "@bridle/cli");
  const imported = new Set(cli ? importsOf(cli).map(({ to }) => to) : []);
  expect([...imported].filter((to) => names.includes(to)).sort()).toEqual([
    "@bridle/app",
    "@bridle/protocol",
    "@bridle/server",
  ]);
});

test("app uses no standard stream of the process", () => {
  const app = packages.find(({ name }) => name === "@bridle/app");
  const files = globSync("src/**/*.ts", { cwd: app?.folder ?? "" }).filter((file) => !file.endsWith(".test.ts"));
  const users = files.filter((file) =>
    /\bprocess\.(stdin|stdout|stderr|argv|exit)\b|\bconsole\.|node:(tty|readline)/.test(
      readFileSync(join(app?.folder ?? "", file), "utf8"),
    ),
  );
  expect(files.length).toBeGreaterThan(0);
  expect(users).toEqual([]);
});

test("no package but conformance and testing imports Vitest", () => {
  const importers = packages.filter((pkg) => importsOf(pkg).some(({ to }) => to === "vitest"));
  expect(importers.map(({ name }) => name)).toEqual(["@bridle/conformance", "@bridle/testing"]);
});

interface Import {
  /** The file's path, relative to the package's folder. */
  readonly file: string;
  /** The name of the imported package. */
  readonly to: string;
}

/** Lists the imports from other packages in a package's published files. */
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
  const found = [...code.matchAll(/(?:\bfrom|\bimport|\bimport\()\s*"([^"\s]+)"/g)].map(([, name = ""]) => name);
  return found.filter((name) => !name.startsWith(".") && !isBuiltin(name)).map(packageOf);
}

/** Returns the package that an import belongs to: `@scope/name` for `@scope/name/part`. */
function packageOf(specifier: string): string {
  return specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/");
}
