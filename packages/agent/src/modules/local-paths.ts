/** Lists the files that a name in code or in a command can refer to. */
import { extname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { isProgram } from "./code-files.ts";
import type { FolderView } from "./folder-view.ts";
import { readManifest } from "./manifest.ts";
import { tryTo } from "./try-to.ts";

const maxNameLength = 4096;
const endings = ["", ".js", ".ts", ".mjs", ".cjs", ".mts", ".cts", ".jsx", ".tsx", ".json", ".node"];

/** Returns the files that a name can refer to; empty for the name of a package. Some of them may not exist. */
export function localPaths(name: string, folder: string, view: FolderView): string[] {
  if (name.length > maxNameLength || name.includes("\0")) return [];
  if (/^file:/i.test(name)) return (tryTo(() => [fileURLToPath(name)]) ?? []).flatMap((path) => asTypeScript(path));
  if (!/^\.{0,2}\//.test(name) && name !== "." && name !== "..") return [];
  const decoded = tryTo(() => fileURLToPath(new URL(name, pathToFileURL(join(folder, "module"))))); // as `import` reads the name
  const plain = [name, name.replace(/[?#].*$/s, "")].map((each) => resolve(folder, each)); // as `require` reads the name
  const paths = [...new Set([...plain, ...(decoded === undefined ? [] : [decoded])])];
  return paths.flatMap((path) => possibleFiles(path, view));
}

/** Returns the file itself, with endings that a loader may add or replace, or the files that a loader looks for in a folder. */
export function possibleFiles(path: string, view: FolderView): string[] {
  const own = [...endings.map((ending) => path + ending), ...asTypeScript(path)];
  if (!view.isFolder(path)) return own;
  const manifest = join(path, "package.json");
  const { main } = readManifest(manifest, view);
  const mains = typeof main === "string" ? [join(path, main), join(path, main, "index")] : [];
  const inFolder = [join(path, "index"), ...mains].flatMap((each) => [
    ...endings.map((ending) => each + ending),
    ...asTypeScript(each),
  ]);
  return [...own, manifest, ...inFolder];
}

/** Adds the TypeScript files for a path with the ending of a build, because TypeScript code may name a module by that ending. */
function asTypeScript(path: string): string[] {
  const [, plain, kind, markup] = /^(.*)\.([cm]?)js(x?)$/s.exec(path) ?? [];
  if (plain === undefined) return [path];
  const typed = `${plain}.${kind}ts`;
  return kind === "" ? [path, `${typed}${markup}`, typed, `${plain}.tsx`] : [path, typed];
}

/** Returns the programs that a string can name. A name without an ending counts only if the string is a path or an address. */
export function mentionedFiles(text: string, folder: string, view: FolderView): string[] {
  if (text === "" || text.length > maxNameLength || text.includes("\n")) return [];
  const isPath = /^(?:\.{0,2}\/|file:)/i.test(text);
  const plain = text.replace(/[?#].*$/s, "");
  if (!isPath && !(isProgram(plain) && extname(plain) !== "")) return [];
  const paths = localPaths(isPath ? text : `./${text}`, folder, view);
  return paths.filter((path) => isProgram(path) && view.isFile(path));
}
