/**
 * Builds every package to ES modules with type declarations. The entries come from each package's manifest: the file under the condition
 * "@bridle/source" is built into the file under "default", with its declarations next to it.
 */
import { copyFileSync, cpSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, join, relative } from "node:path";
import { build, type InlineConfig } from "tsdown";
import { buildPage, builtPage } from "./build-page.ts";
import { bundlingOf, sharedZod, typeBundlingOf } from "./bundled-modules.ts";
import { licencesOf } from "./licences.ts";
import { type Package, readPackages, root } from "./packages.ts";
import { binFolder, runCommand } from "./run-command.ts";

/** Claude Code's SDK is not bundled, because it looks for its host's binary in its own folder. */
const hostSdk = "@anthropic-ai/claude-agent-sdk";
/** DuckDB's driver looks for its binary in the same way, and is an optional package. */
const duckdbDriver = "@duckdb/node-api";

/** The PostgreSQL parser loads WebAssembly from a file next to its code, and is an optional package. */
const postgresParser = "libpg-query";

/**
 * `pg` (8.23) requires `pg-pool`, `mysql2` (3.24) requires `long`, and `json-bigint` (1.0) requires `bignumber.js`. Each uses the required
 * module as a class. Under the condition "import", that module would be a namespace instead.
 */
const requiredAsClass = Object.fromEntries(
  ["pg-pool", "long", "bignumber.js"].map((name) => [name, createRequire(import.meta.url).resolve(name)]),
);

/** The CommonJS module of `jsonc-parser` (3.3) requires its parts in a way that bundlers do not recognise. */
const withParts = { "jsonc-parser": createRequire(import.meta.url).resolve("jsonc-parser/lib/esm/main.js") };

/** Declarations take most of the build time, and only publishing needs them, so `npm install` does not build them. */
const withTypes = !process.argv.includes("--without-types");

const started = performance.now();
const packages = readPackages().filter((pkg) => !pkg.private);
const page = buildPage();
await Promise.all([...packages.map(buildPackage), buildCommand()]);
await page;
cpSync(builtPage, join(root, "packages/bridle/dist/command/workbench"), { recursive: true });
if (withTypes) await buildTypes();
console.log(`Built ${packages.length} packages in ${((performance.now() - started) / 1000).toFixed(1)} s.`);

async function buildPackage(pkg: Package): Promise<void> {
  const outDir = join(pkg.folder, "dist");
  const bundles = await build({
    ...optionsFor(pkg),
    ...bundlingOf(pkg.name),
    entry: entriesOf(pkg),
    outDir,
    dts: false,
  });
  writeLicences(bundles, outDir);
  copyFileSync(join(root, "LICENSE"), join(pkg.folder, "LICENSE")); // npm packs only the licence that is in the package's folder
}

function optionsFor({ folder }: Pick<Package, "folder">): InlineConfig {
  return {
    config: false,
    cwd: folder,
    tsconfig: join(root, "tsconfig.build.json"),
    format: "esm",
    platform: "node",
    target: "node22.18",
    fixedExtension: false,
    hash: false,
    report: false,
    logLevel: "warn",
    failOnWarn: true,
    suppressWarnings: /TypeScript 7\.0 does not yet have a stable API/,
    checks: { pluginTimings: false },
  };
}

/** Writes the declarations of all packages in one compiler run, then bundles the declarations of each entry into one file. */
async function buildTypes(): Promise<void> {
  const declared = mkdtempSync(join(root, "node_modules/.declared-"));
  try {
    const emit = [
      "--noEmit",
      "false",
      "--declaration",
      "--emitDeclarationOnly",
      "--rootDir",
      root,
      "--outDir",
      declared,
    ];
    const { code, output } = await runCommand(join(binFolder, "tsc"), [
      "-p",
      join(root, "tsconfig.build.json"),
      ...emit,
    ]);
    if (code !== 0) throw new Error(output);
    useSharedZod(declared);
    for (const pkg of packages) await bundleTypes(pkg, declared);
  } finally {
    rmSync(declared, { recursive: true });
  }
}

/** Replaces types such as `import("zod").ZodString`, which TypeScript also writes and the bundler does not change. */
function useSharedZod(declared: string): void {
  for (const file of globSync("packages/**/*.d.ts", { cwd: declared })) {
    const code = readFileSync(join(declared, file), "utf8");
    const shared = code
      .replaceAll('import("zod")', `import("${sharedZod}").z`)
      .replaceAll('import("zod/v4/core")', `import("${sharedZod}").z.core`);
    if (shared !== code) writeFileSync(join(declared, file), shared);
  }
}

async function bundleTypes(pkg: Package, declared: string): Promise<void> {
  const declarationOf = (source: string) =>
    join(declared, relative(root, pkg.folder), source.replace(/\.ts$/, ".d.ts"));
  const entry = Object.entries(entriesOf(pkg)).map(([name, source]) => [name, declarationOf(source)]);
  await build({
    ...optionsFor(pkg),
    ...typeBundlingOf(pkg.name),
    entry: Object.fromEntries(entry),
    clean: false,
    treeshake: { moduleSideEffects: false }, // without this, modules whose types are unused are still imported, for their side effects
    dts: { dtsInput: true, emitDtsOnly: true },
  });
}

/** Returns the names of the built files without their extension, and their source files. */
function entriesOf({ exports }: Package): Record<string, string> {
  return Object.fromEntries(
    Object.values(exports).map(({ "@bridle/source": source, default: built }) => [basename(built, ".js"), source]),
  );
}

/**
 * Bundles the command with all its dependencies into a few files of the public package, because linking hundreds of small files is the
 * slowest part of starting. When a tools file imports "bridle", it gets `library`.
 */
async function buildCommand(): Promise<void> {
  const folderOf = (name: string) => join(root, "packages", name);
  const outDir = join(folderOf("bridle"), "dist/command");
  const bundles = await build({
    ...optionsFor({ folder: folderOf("cli") }),
    entry: {
      cli: join(folderOf("cli"), "src/cli.ts"),
      library: join(folderOf("bridle"), "src/index.ts"),
      // Each program must be next to the file that starts the program.
      "reader-process": join(folderOf("documents"), "src/reading/reader-process.ts"),
      "duckdb-process": join(folderOf("warehouse"), "src/connectors/duckdb/process/duckdb-process.ts"),
      "sqlite-process": join(folderOf("warehouse"), "src/connectors/sqlite/process/sqlite-process.ts"),
    },
    outDir,
    dts: false,
    deps: { alwaysBundle: /^/, neverBundle: [hostSdk, duckdbDriver, postgresParser], onlyBundle: false },
    inputOptions: {
      resolve: { conditionNames: ["@bridle/source", "node", "import"], alias: { ...requiredAsClass, ...withParts } },
    },
  });
  writeLicences(bundles, outDir);
}

/** Writes the licences of the npm packages that a build contains, if there are any. */
function writeLicences(bundles: Awaited<ReturnType<typeof build>>, outDir: string): void {
  const modules = bundles
    .flatMap(({ chunks }) => chunks)
    .flatMap((chunk) => ("moduleIds" in chunk ? chunk.moduleIds : []));
  const licences = licencesOf(modules);
  if (licences !== "") writeFileSync(join(outDir, "LICENSES.txt"), licences);
}
