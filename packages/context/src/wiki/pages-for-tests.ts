/** A folder of pages in a temporary project. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PageFolder, pageFile, wikiFolder } from "./page-folder.ts";

export class PagesForTests {
  readonly projectDir = mkdtempSync(join(tmpdir(), "bridle-wiki-"));
  readonly folder = new PageFolder({ projectDir: this.projectDir });

  /** `pages` has the texts of the files by page name. */
  constructor(pages: Readonly<Record<string, string>> = {}) {
    mkdirSync(join(this.projectDir, wikiFolder), { recursive: true });
    for (const [slug, text] of Object.entries(pages)) this.write(slug, text);
  }

  write(slug: string, text: string): void {
    writeFileSync(join(this.projectDir, pageFile(slug)), text);
  }

  close(): void {
    rmSync(this.projectDir, { recursive: true, force: true });
  }
}
