import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { noPage, type PageFile, type WebPage } from "./page.ts";

const isSource = import.meta.url.endsWith(".ts");
/** The folder of the built page. In a package, the folder is next to the command. */
const folder = new URL(isSource ? "../../../workbench/dist/" : "./workbench/", import.meta.url);

/** The format of `files.json`, written by `scripts/build-page.ts`. */
const filesSchema = z.array(
  z.strictObject({
    path: z.string(),
    file: z.string(),
    contentType: z.string(),
    isImmutable: z.boolean(),
    encodings: z.array(z.enum(["br", "gz"])),
  }),
);

/** Reads the page for a server with this base path. Returns `noPage` if the page has not been built. */
export function readPage(basePath: string): WebPage {
  const map = new URL("files.json", folder);
  if (!existsSync(map)) return noPage;
  const files = filesSchema.parse(JSON.parse(readFileSync(map, "utf8")));
  const read = new Map(files.filter(({ isImmutable }) => isImmutable).map((file) => [file.path, new LazyFile(file)]));
  return { files: read, index: readIndex(basePath) };
}

/** Reads the index. It refers to its files by absolute paths, because the URLs of views have several parts. */
function readIndex(basePath: string): PageFile {
  const html = readFileSync(new URL("index.html", folder), "utf8").replaceAll('"./assets/', `"${basePath}/assets/`);
  return { contentType: "text/html; charset=utf-8", body: Buffer.from(html), encoded: {}, isImmutable: false };
}

/** A file that is read when a browser first requests it, so that the server starts quickly. */
class LazyFile implements PageFile {
  readonly contentType: string;
  readonly isImmutable: boolean;
  readonly #path: string;
  readonly #encodings: readonly string[];
  readonly #read = new Map<string, Uint8Array>();

  constructor({ file, contentType, isImmutable, encodings }: z.output<typeof filesSchema>[number]) {
    this.contentType = contentType;
    this.isImmutable = isImmutable;
    this.#path = fileURLToPath(new URL(file, folder));
    this.#encodings = encodings;
  }

  get body(): Uint8Array {
    return this.#content("");
  }

  get encoded(): PageFile["encoded"] {
    const has = (encoding: string) => this.#encodings.includes(encoding);
    return { ...(has("br") && { br: this.#content(".br") }), ...(has("gz") && { gzip: this.#content(".gz") }) };
  }

  #content(ending: string): Uint8Array {
    const known = this.#read.get(ending) ?? readFileSync(this.#path + ending);
    this.#read.set(ending, known);
    return known;
  }
}
