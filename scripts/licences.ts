/** The licences of the npm packages that a build contains. */
import { globSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/** Returns the licence texts of the packages that the modules belong to. */
export function licencesOf(modules: readonly string[]): string {
  const folders = modules.flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id)?.[0] ?? []);
  const texts = [...new Set(folders)]
    .sort()
    .map((folder) => `${folder.split("/node_modules/").at(-1)}\n\n${licenceIn(folder)}\n`);
  return texts.join(`\n${"-".repeat(80)}\n\n`);
}

/** Returns a package's licence file or, if it has none, the licence name from its manifest. */
function licenceIn(folder: string): string {
  const [file] = globSync("{LICENSE,LICENCE}*", { cwd: folder });
  if (file !== undefined) return readFileSync(join(folder, file), "utf8").trim();
  const { license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as { license?: unknown };
  if (typeof license === "string") return `Licence: ${license}`;
  throw new Error(
    `${basename(dirname(folder))}/${basename(folder)} has no licence file and no licence in its manifest. Add one of them.`,
  );
}
