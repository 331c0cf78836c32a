/**
 * Builds every package to ES modules with type declarations. What a package exports is read from its manifest: the file
 * under the condition "source" becomes the file under "default", with its declarations beside it.
 */
import { copyFileSync, existsSync } from "node:fs";
import { basename, join } from "node:path";
import { build } from "tsdown";
import { type Package, readPackages, root } from "./packages.ts";

const started = performance.now();
const packages = readPackages();
await Promise.all(packages.map(buildPackage));
console.log(`Built ${packages.length} packages in ${((performance.now() - started) / 1000).toFixed(1)} s.`);

async function buildPackage(pkg: Package): Promise<void> {
  await build({
    config: false,
    cwd: pkg.folder,
    entry: entriesOf(pkg),
    tsconfig: join(root, "tsconfig.build.json"),
    format: "esm",
    platform: "node",
    target: "node22.18",
    fixedExtension: false,
    dts: { generator: "tsgo" },
    sourcemap: false,
    hash: false,
    report: false,
    logLevel: "warn",
    failOnWarn: true,
    suppressWarnings: /TypeScript 7\.0 does not yet have a stable API/,
    checks: { pluginTimings: false },
  });
  copyFileSync(join(root, "LICENSE"), join(pkg.folder, "LICENSE")); // npm takes the one in the package's folder only
}

/** The names of the built files, without ending, and the sources that they are built from. */
function entriesOf({ exports, folder }: Package): Record<string, string> {
  const exported = Object.values(exports).map(({ source, default: built }) => [basename(built, ".js"), source]);
  const command = existsSync(join(folder, "src/cli.ts")) ? [["cli", "./src/cli.ts"]] : [];
  return Object.fromEntries([...exported, ...command]);
}
