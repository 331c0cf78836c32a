/** Checks what npm would publish: the files, the manifest and the declarations of each package. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { join, relative } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { type Package, readPackages, root } from "../scripts/packages.ts";

const published = readPackages().filter((pkg) => !pkg.private);
const archives = z
  .array(z.object({ name: z.string(), files: z.array(z.object({ path: z.string() })) }))
  .parse(JSON.parse(listArchives()));
const home = "https://github.com/bridle-agents/bridle";

test.each(published)("$name has a page, a licence and declarations in its archive", (pkg) => {
  const files = filesOf(pkg);
  const declarations = Object.values(pkg.exports).map(({ types }) => types.replace("./", ""));
  expect(files).toEqual(expect.arrayContaining(["README.md", "LICENSE", "package.json", ...declarations]));
});

test.each(published)("$name says where it comes from and which Node.js it needs", ({ folder }) => {
  const directory = relative(root, folder);
  expect(readJson(join(folder, "package.json"))).toMatchObject({
    homepage: `${home}/tree/main/${directory}#readme`,
    bugs: `${home}/issues`,
    repository: { ...repositoryOf(root), directory },
    engines: { node: ">=22.18" },
    license: "Apache-2.0",
  });
  expect(repositoryOf(root)).toEqual({ type: "git", url: `git+${home}.git` });
});

test.each(published)("the declarations of $name import only what its manifest declares", (pkg) => {
  const declared = [pkg.name, ...Object.keys(pkg.dependencies), ...Object.keys(pkg.peerDependencies)];
  const isDeclared = (specifier: string) => declared.some((name) => `${specifier}/`.startsWith(`${name}/`));
  const files = filesOf(pkg);
  const unknown = files
    .filter((file) => file.endsWith(".d.ts"))
    .flatMap((file) =>
      importsOf(readFileSync(join(pkg.folder, file), "utf8")).map((specifier) => ({ file, specifier })),
    )
    .filter(({ file, specifier }) =>
      specifier.startsWith(".")
        ? !files.includes(join(file, "..", specifier).replace(/\.js$/, ".d.ts"))
        : !isBuiltin(specifier) && !isDeclared(specifier),
    );
  expect(unknown).toEqual([]);
});

test.each(published)("the declarations of $name import nothing for its effects", (pkg) => {
  const files = filesOf(pkg).filter((file) => file.endsWith(".d.ts"));
  const withEffects = files.filter((file) => /^import ["']/m.test(readFileSync(join(pkg.folder, file), "utf8")));
  expect(withEffects).toEqual([]);
});

function listArchives(): string {
  const workspaces = published.map(({ name }) => `--workspace=${name}`);
  const options = ["pack", "--dry-run", "--json", "--loglevel=silent", ...workspaces];
  return execFileSync("npm", options, { cwd: root, encoding: "utf8", maxBuffer: 50_000_000 });
}

function filesOf(pkg: Package): string[] {
  return archives.find(({ name }) => name === pkg.name)?.files.map(({ path }) => path) ?? [];
}

/** Lists the names that a declaration imports or extends, ignoring comments. */
function importsOf(declaration: string): string[] {
  const code = declaration.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/(?!\/).*$/gm, "");
  const patterns = [
    /\bfrom ["']([^"']+)["']/g,
    /\bimport\(["']([^"']+)["']\)/g,
    /^import ["']([^"']+)["']/gm,
    /\bdeclare module ["']([^"']+)["']/g,
    /<reference types=["']([^"']+)["']/g,
  ];
  return patterns.flatMap((pattern) => [...code.matchAll(pattern)].map(([, specifier = ""]) => specifier));
}

function repositoryOf(folder: string): object {
  return z.object({ repository: z.looseObject({}) }).parse(readJson(join(folder, "package.json"))).repository;
}

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(file, "utf8"));
}
