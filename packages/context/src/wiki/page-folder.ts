import { realpathSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { readTextFileSync, sha256 } from "@bridle/core";
import { getErrorMessage } from "@bridle/protocol";
import type { ContextFolder } from "../facts/context-folder.ts";
import type { ContextFileProblem } from "../files/file-problem.ts";
import { entriesOf, versionOfFile } from "../files/folder-entries.ts";
import { type ParsedPage, parsePage } from "./parse-page.ts";
import { isSlug } from "./slugs.ts";

/** A page of the project. */
export interface WikiPage extends ParsedPage {
  /** The file name without `.md`. */
  readonly slug: string;
  /** The file's path, relative to the project. */
  readonly file: string;
  /** The whole text of the file. */
  readonly text: string;
}

export interface ReadPages {
  /** A string that differs after every change of a file. */
  readonly version: string;
  /** The pages, sorted by name. */
  readonly pages: readonly WikiPage[];
  /** The problems in all pages, and in files that cannot be read. */
  readonly problems: readonly ContextFileProblem[];
}

/** The folder of a project's pages, relative to the project. */
export const wikiFolder = "context/wiki";

/** Returns the file of a page, relative to the project. */
export function pageFile(slug: string): string {
  return `${wikiFolder}/${slug}.md`;
}

/** Reads the pages of a project, and a file again only if it has changed. */
export class PageFolder {
  readonly #projectDir: string;
  readonly #known = new Map<string, { readonly mark: string; readonly page: WikiPage | ContextFileProblem }>();
  #read: ReadPages = { version: "", pages: [], problems: [] };

  constructor({ projectDir }: Pick<ContextFolder, "projectDir">) {
    this.#projectDir = projectDir;
  }

  /**
   * Reads the current files. Returns the same object until a file changes. Never throws: a file that cannot be read is listed as a problem.
   */
  read(): ReadPages {
    const found = entriesOf(join(this.#projectDir, wikiFolder)).flatMap(({ name }) => {
      const slug = name.replace(/\.md$/, "");
      const path = join(this.#projectDir, wikiFolder, name);
      return slug === name || !isSlug(slug) ? [] : [{ slug, path, mark: versionOfFile(path) }];
    });
    const version = sha256(JSON.stringify(found));
    if (version === this.#read.version) return this.#read;
    const read = found.map((file) => this.#load(file));
    for (const path of this.#known.keys()) if (!found.some((each) => each.path === path)) this.#known.delete(path);
    const pages = read.filter((page) => "slug" in page);
    const unread = read.flatMap((page) => ("slug" in page ? [] : [page]));
    this.#read = { version, pages, problems: [...unread, ...pages.flatMap(({ problems }) => problems)] };
    return this.#read;
  }

  #load({ slug, path, mark }: { slug: string; path: string; mark: string }): WikiPage | ContextFileProblem {
    const known = this.#known.get(path);
    if (known?.mark === mark) return known.page;
    const file = relative(this.#projectDir, path).replaceAll("\\", "/");
    const page = this.#parse(slug, path, file);
    this.#known.set(path, { mark, page });
    return page;
  }

  #parse(slug: string, path: string, file: string): WikiPage | ContextFileProblem {
    try {
      if (!this.#isInside(path)) {
        return { message: "the page is a link that leads out of the project. Remove it.", position: { file } };
      }
      const text = readTextFileSync(path);
      return { slug, file, text, ...parsePage(text, file) };
    } catch (error) {
      return { message: `the page cannot be read: ${getErrorMessage(error)}`, position: { file } };
    }
  }

  /** Whether a path stays in the project. A project may come from anybody, and a link in it could lead to a private file. */
  #isInside(path: string): boolean {
    return realpathSync(path).startsWith(`${realpathSync(this.#projectDir)}${sep}`);
  }
}
