/**
 * Builds the server's page: the files in `packages/workbench/dist`, compressed copies of them, and `files.json`, which lists them all. The
 * server serves only the files that `files.json` lists.
 */
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { extname, join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { build } from "vite";
import { licencesOf } from "./licences.ts";
import { root } from "./packages.ts";

const folder = join(root, "packages/workbench");
export const builtPage: string = join(folder, "dist");

const contentTypes: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
};

export async function buildPage(): Promise<void> {
  process.env.NODE_ENV = "production"; // Vitest sets another value, which would select React's larger build
  const outputs = [await build({ root: folder, configFile: join(folder, "vite.config.ts"), logLevel: "warn" })].flat();
  const chunks = outputs.flatMap((each) => ("output" in each ? each.output : []));
  const modules = chunks.flatMap((chunk) => (chunk.type === "chunk" ? chunk.moduleIds : []));
  writeFileSync(join(builtPage, "LICENSES.txt"), licencesOf(modules.filter((id) => !id.startsWith("\0"))));
  const files = globSync("**/*", { cwd: builtPage, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(builtPage.length + 1))
    .filter((file) => file !== "LICENSES.txt")
    .sort();
  const map = files.map((file) => ({ path: `/${file}`, file, contentType: contentTypeOf(file), ...compress(file) }));
  writeFileSync(join(builtPage, "files.json"), `${JSON.stringify(map, null, 2)}\n`);
}

function contentTypeOf(file: string): string {
  const type = contentTypes[extname(file)];
  if (type === undefined) throw new Error(`The page has ${file}, and no content type for it is known.`);
  return type;
}

function compress(file: string): { isImmutable: boolean; encodings: readonly string[] } {
  const isImmutable = file.startsWith("assets/");
  if (!isImmutable) return { isImmutable, encodings: [] }; // the server sends this file with its own base path
  const content = readFileSync(join(builtPage, file));
  const params = { [constants.BROTLI_PARAM_SIZE_HINT]: content.length };
  writeFileSync(join(builtPage, `${file}.br`), brotliCompressSync(content, { params }));
  writeFileSync(join(builtPage, `${file}.gz`), gzipSync(content, { level: 9 }));
  return { isImmutable, encodings: ["br", "gz"] };
}
