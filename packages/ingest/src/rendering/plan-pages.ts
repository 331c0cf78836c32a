/** Plans the page files: renders them and merges them with the current files. Pure. */
import { pageFile, type WikiPage, wikiFolder } from "@bridle/context";
import { getErrorMessage, isBridleError } from "@bridle/protocol";
import type { Claim } from "../claims/claim.ts";
import type { RemovedThing } from "../claims/decisions/decision-schema.ts";
import type { PlanNote, PlannedEntry, PlannedFile, PlannedPart } from "./change-set.ts";
import { isStatementClaim } from "./claim-text.ts";
import { type MergedPage, mergePage } from "./merge-page.ts";
import type { RenderedPage } from "./page-content.ts";
import type { PagePlaces } from "./page-places.ts";
import { renderPages } from "./render-pages.ts";
import type { WrittenEntries, WrittenRecord } from "./written-record.ts";

export interface PagesInput {
  readonly claims: readonly Claim[];
  readonly pages: readonly WikiPage[];
  readonly places: PagePlaces;
  readonly written: WrittenRecord;
  /** Today's date, such as 2026-03-04, for decisions. */
  readonly today: string;
}

export interface PlannedPages extends PlannedPart {
  /** The name of the page of each claim that is on a page. */
  readonly pageOf: ReadonlyMap<string, string>;
}

export function planPages(input: PagesInput): PlannedPages {
  return new PagePlan(input).run();
}

const none: WrittenEntries = new Map();

class PagePlan {
  readonly #input: PagesInput;
  readonly #byFile: ReadonlyMap<string, WikiPage>;
  readonly #statements: ReadonlyMap<string, string>;
  readonly #files: PlannedFile[] = [];
  readonly #written = new Map<string, WrittenEntries>();
  readonly #removed: RemovedThing[] = [];
  readonly #notes: PlanNote[] = [];

  constructor(input: PagesInput) {
    this.#input = input;
    this.#byFile = new Map(input.pages.map((page) => [page.file, page]));
    const statements = input.claims.filter(isStatementClaim);
    this.#statements = new Map(statements.map(({ id, body }) => [id, body.statement]));
  }

  run(): PlannedPages {
    const { claims, places } = this.#input;
    for (const { file, key, of } of places.copies) {
      this.#note("copy", file, `The page is for ${key}, like ${pageFile(of)}. Ingest writes only to that page.`);
    }
    const rendered = renderPages(claims, places.names);
    const gone = this.#findDeleted(rendered);
    const pageOf = new Map<string, string>();
    for (const page of rendered.filter(({ key }) => !gone.has(key))) {
      this.#plan(pageFile(page.slug), page);
      for (const id of page.claims) pageOf.set(id, page.slug);
    }
    const done = new Set(rendered.map(({ slug }) => pageFile(slug)));
    for (const file of this.#ownFiles()) if (!done.has(file) && this.#byFile.has(file)) this.#plan(file, undefined);
    return {
      files: this.#files,
      written: this.#written,
      removed: this.#removed,
      notes: this.#notes,
      pageOf,
    };
  }

  /** Lists page files with content that ingest wrote. */
  #ownFiles(): readonly string[] {
    return [...this.#input.written.files.keys()].filter((file) => file.startsWith(`${wikiFolder}/`));
  }

  /** Finds the keys of pages whose file was deleted, unless another file has the page now. */
  #findDeleted(rendered: readonly RenderedPage[]): ReadonlySet<string> {
    const { written, places } = this.#input;
    const gone = new Set<string>();
    for (const file of written.isMerged ? [] : this.#ownFiles()) {
      const entries = written.files.get(file) ?? none;
      const key = entries.get("topic");
      if (this.#byFile.has(file) || key === undefined || places.names.has(key)) continue;
      gone.add(key);
      if (this.#remove(entries, key, rendered)) {
        this.#note("removed", file, "A person removed the page. It stays removed: see context/decisions.yaml.");
      }
    }
    return gone;
  }

  /**
   * Removes a part of a topic by removing the part's claims, because its subjects may move to other parts. Returns whether there were
   * claims to remove.
   */
  #remove(entries: WrittenEntries, page: string, rendered: readonly RenderedPage[]): boolean {
    const at = this.#input.today;
    const isWhole = !page.includes(" / ");
    if (isWhole && rendered.some(({ key }) => key === page)) return this.#removed.push({ page, at }) > 0;
    const statements = isWhole ? [] : Array.from(entries.keys()).flatMap((id) => this.#statements.get(id) ?? []);
    this.#removed.push(...statements.map((statement) => ({ statement, page, at })));
    return statements.length > 0;
  }

  #plan(file: string, rendered: RenderedPage | undefined): void {
    const present = this.#byFile.get(file);
    const written = this.#writtenOf(file, rendered);
    if (present?.isBroken) {
      this.#keep(file, written, "The front matter cannot be read, so the page was not changed. Correct it.");
      return;
    }
    try {
      const mayBeRemoved = !this.#input.written.isMerged;
      this.#add(file, present, mergePage({ file, rendered, present, written, mayBeRemoved }), rendered);
    } catch (error) {
      if (!isBridleError(error)) throw error;
      this.#keep(file, written, `The page was not changed: ${getErrorMessage(error)}`);
    }
  }

  /** Returns the written entries of the file, or of the file that contained the page before a rename. */
  #writtenOf(file: string, rendered: RenderedPage | undefined): WrittenEntries {
    const { files } = this.#input.written;
    const own = files.get(file);
    if (own !== undefined || rendered === undefined) return own ?? none;
    const former = this.#ownFiles().find(
      (other) => !this.#byFile.has(other) && files.get(other)?.get("topic") === rendered.key,
    );
    return (former === undefined ? undefined : files.get(former)) ?? none;
  }

  #add(file: string, present: WikiPage | undefined, merged: MergedPage, rendered: RenderedPage | undefined): void {
    if (merged.written.size > 0) this.#written.set(file, merged.written);
    for (const { claim, isEdited } of merged.removed) {
      const statement = this.#statements.get(claim) ?? "";
      this.#removed.push({
        statement,
        page: rendered?.key ?? "",
        at: this.#input.today,
        ...(isEdited && { edited: true }),
      });
      const what = isEdited ? "replaced" : "removed";
      this.#note(
        isEdited ? "edited" : "removed",
        file,
        `A person ${what} "${statement}". It stays so: see context/decisions.yaml.`,
      );
    }
    if (merged.isOnlyPersons && rendered === undefined) {
      this.#note("kept", file, "Only text from people is left: no document mentions the topic any more.");
    }
    if (merged.text === present?.text) return;
    const changes = [describeChange(file, present, merged, rendered)];
    this.#files.push({ file, kind: "page", before: present?.text, after: merged.text, changes });
  }

  #keep(file: string, written: WrittenEntries, message: string): void {
    if (written.size > 0) this.#written.set(file, written);
    this.#note("unreadable", file, message);
  }

  #note(kind: PlanNote["kind"], file: string, message: string): void {
    this.#notes.push({ kind, file, message });
  }
}

/** Describes a change of a page without quoting the page, so that the list of changes does not keep forgotten facts. */
function describeChange(
  file: string,
  present: WikiPage | undefined,
  { text }: MergedPage,
  rendered: RenderedPage | undefined,
): PlannedEntry {
  const before = present === undefined ? {} : { before: JSON.stringify(present.body.length) };
  const after = JSON.stringify(text === undefined ? "removed" : { claims: rendered?.claims.length ?? 0 });
  return { subject: file.slice(wikiFolder.length + 1, -3), kind: "page", ...before, after };
}
