/**
 * Publishes the packages to npm in the order of their dependencies, with provenance: `npm run release`. Fails if the working tree has
 * changes or the version is already published. `--rest` publishes only the missing packages, after a release that failed between two
 * packages. `--dry-run` does everything except the upload.
 */
import { parseArgs } from "node:util";
import { readPackages } from "./packages.ts";
import { publishingOrder } from "./publishing-order.ts";
import { runCommand } from "./run-command.ts";

const { values } = parseArgs({
  options: { "dry-run": { type: "boolean" }, rest: { type: "boolean" }, built: { type: "boolean" } },
});

try {
  await release();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

async function release(): Promise<void> {
  await requireCleanTree();
  const packages = await unpublished();
  if (!values.built) await run("node", ["scripts/build.ts"]);
  for (const { name, version } of packages) {
    const options = ["--provenance", "--access=public", ...(values["dry-run"] ? ["--dry-run"] : [])];
    await run("npm", ["publish", `--workspace=${name}`, ...options]);
    console.log(`${values["dry-run"] ? "Would publish" : "Published"} ${name} ${version}`);
  }
}

/** Throws if the working tree has changes: the published files must match the commit that their provenance names. */
async function requireCleanTree(): Promise<void> {
  const changed = (await run("git", ["status", "--porcelain"])).trim();
  if (changed === "") return;
  throw new Error(`The working tree has changes. Commit or remove them, then release again:\n${changed}`);
}

/** Lists every package, in order. Throws if this version of a package is already published, unless `--rest` is set. */
async function unpublished(): Promise<readonly { name: string; version: string }[]> {
  const packages = publishingOrder(readPackages().filter((pkg) => !pkg.private));
  const published = await Promise.all(packages.map(isPublished));
  const existing = packages.filter((_, index) => published[index]);
  if (existing.length === 0 || values.rest) return packages.filter((pkg) => !existing.includes(pkg));
  const names = existing.map(({ name, version }) => `${name} ${version}`).join(", ");
  throw new Error(
    `Published already: ${names}. Raise the version in every package.json, or pass --rest if an earlier release broke off.`,
  );
}

async function isPublished({ name, version }: { name: string; version: string }): Promise<boolean> {
  const { code, output } = await runCommand("npm", [
    "view",
    `${name}@${version}`,
    "version",
    "--json",
    "--prefer-online",
  ]);
  if (code === 0) return output.trim() !== "";
  if (output.includes("E404")) return false;
  throw new Error(`npm did not say whether ${name} ${version} is published:\n${output}`);
}

/** Returns the command's output, including standard error. Throws an Error with the output if the command fails. */
async function run(command: string, args: readonly string[]): Promise<string> {
  const { code, output } = await runCommand(command, args);
  if (code === 0) return output;
  throw new Error(`${command} ${args.join(" ")} failed:\n${output}`);
}
