/**
 * Builds the published packages and packs each into an archive, in the given folder: `npm run pack -- FOLDER`. With
 * `--built` it packs the existing build.
 */
import { mkdirSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { readPackages } from "./packages.ts";
import { runCommand } from "./run-command.ts";

const { values, positionals } = parseArgs({ options: { built: { type: "boolean" } }, allowPositionals: true });
const folder = resolve(process.env.INIT_CWD ?? ".", positionals[0] ?? "archives");
const packages = readPackages().filter((pkg) => !pkg.private);

mkdirSync(folder, { recursive: true });
if (!values.built) await run("node", ["scripts/build.ts"]);
await run("npm", [
  "pack",
  "--silent",
  "--pack-destination",
  folder,
  ...packages.map(({ name }) => `--workspace=${name}`),
]);
console.log(`Packed ${packages.length} packages into ${folder}.`);

async function run(command: string, args: readonly string[]): Promise<void> {
  const { code, output } = await runCommand(command, args);
  if (code !== 0) throw new Error(`${command} ${args.join(" ")} failed:\n${output}`);
}
