/** Plans the changes of a run: renders everything again and compares it with the files. Writes nothing. */
import { existsSync } from "node:fs";
import { join, relative } from "node:path";
import { tableFilePath } from "@bridle/context";
import type { Claim } from "../../claims/claim.ts";
import { type Decisions, decisionsFile, type RemovedThing } from "../../claims/decisions/decision-schema.ts";
import { addDecisions } from "../../claims/decisions/parse-decisions.ts";
import { normalForm } from "../../claims/wording/read-wording.ts";
import type { CuratedClaims } from "../../curation/curate-claims.ts";
import { type ResolvedClaims, resolveClaims } from "../../curation/resolution/resolve-claims.ts";
import type { ChangeSet, PlanNote, PlannedFile } from "../../rendering/change-set.ts";
import type { CheckModels } from "../../rendering/models/check-models.ts";
import { planModels } from "../../rendering/models/plan-models.ts";
import { findPagePlaces, type PagePlaces } from "../../rendering/page-places.ts";
import { type PlannedPages, planPages } from "../../rendering/plan-pages.ts";
import { planTables } from "../../rendering/tables/plan-tables.ts";
import type { WrittenRecord } from "../../rendering/written-record.ts";
import { type ProjectFiles, readProjectFiles } from "./read-project.ts";
import { type RecoverOptions, recoverWritten } from "./recover-written.ts";

export interface PlanChangesOptions {
  readonly projectDir: string;
  /** Runs measures against the warehouse. If missing, no model is written. */
  readonly check?: CheckModels | undefined;
  readonly signal: AbortSignal;
  /** The claims of the previous run. If the record of written entries is lost, it is recovered from these claims. Default: none. */
  readonly previous?: readonly Claim[] | undefined;
  readonly now?: (() => Date) | undefined;
}

/**
 * Plans the files for claims. Edits and removals that users made in the files since the last run become decisions.
 *
 * @throws ConfigError with the position if the decisions are wrong, or if a file cannot be read.
 */
export async function planChanges(
  curated: Pick<CuratedClaims, "drafts" | "conflicts">,
  options: PlanChangesOptions,
): Promise<ChangeSet> {
  return new ChangePlan(curated, options).run();
}

/** Reads the pages of a project for `curateClaims`, so that topics stay on their pages. Throws ConfigError. */
export function readPagePlaces(projectDir: string): PagePlaces {
  const { pages, written } = readProjectFiles(projectDir);
  return findPagePlaces(pages.pages, written);
}

/** The maximum number of rounds. A user's removals may leave other claims without a rival, so that other pages change. */
const maxRounds = 4;

class ChangePlan {
  readonly #curated: Pick<CuratedClaims, "drafts" | "conflicts">;
  readonly #options: PlanChangesOptions;
  readonly #files: ProjectFiles;
  readonly #places: PagePlaces;
  readonly #today: string;

  constructor(curated: Pick<CuratedClaims, "drafts" | "conflicts">, options: PlanChangesOptions) {
    this.#curated = curated;
    this.#options = options;
    this.#files = readProjectFiles(options.projectDir);
    this.#places = findPagePlaces(this.#files.pages.pages, this.#files.written);
    this.#today = (options.now?.() ?? new Date()).toISOString().slice(0, 10);
  }

  async run(): Promise<ChangeSet> {
    const { projectDir, check, signal } = this.#options;
    const fileOf = (schema: { connection: string; schema: string }) =>
      relative(projectDir, tableFilePath({ projectDir }, schema)).replaceAll("\\", "/");
    const written = await this.#readWritten(fileOf);
    const { pages, resolved, decisions, removed, notes } = this.#planPages(written);
    const { tables: texts, models: files } = this.#files;
    const shared = { claims: resolved.claims, written, decisions, today: this.#today };
    const tables = planTables({ ...shared, texts, fileOf });
    const models = await planModels({ ...shared, files, check, signal });
    const parts = [pages, tables, models];
    const decided = this.#decisionsFile([...removed, ...tables.removed, ...models.removed]);
    const planned = [...parts.flatMap((part) => part.files), ...decided];
    return {
      claims: resolved.claims.map((claim) => withPage(claim, pages.pageOf)),
      files: planned.sort((a, b) => (a.file < b.file ? -1 : 1)),
      written: new Map(parts.flatMap((part) => [...part.written])),
      writtenBefore: written.files,
      decisionsText: this.#files.decisions.text,
      writtenText: this.#files.writtenText,
      notes: [...notes, ...tables.notes, ...models.notes, ...this.#unsupported(decisions), ...this.#unreadable()],
      decisionNotes: resolved.notes,
    };
  }

  async #readWritten(fileOf: RecoverOptions["fileOf"]): Promise<WrittenRecord> {
    const { written, writtenText } = this.#files;
    const { previous: claims = [], signal } = this.#options;
    if (writtenText !== "" || claims.length === 0) return written;
    const { files, ...rest } = await recoverWritten({
      claims,
      places: this.#places,
      fileOf,
      today: this.#today,
      signal,
    });
    const isThere = (file: string) => existsSync(join(this.#options.projectDir, file)); // the user may have refused other files
    return { ...rest, files: new Map([...files].filter(([file]) => isThere(file))) };
  }

  #planPages(written: WrittenRecord): {
    pages: PlannedPages;
    resolved: ResolvedClaims;
    decisions: Decisions;
    removed: readonly RemovedThing[];
    notes: readonly PlanNote[];
  } {
    const { drafts, conflicts } = this.#curated;
    const before = this.#files.decisions.decisions;
    const removed: RemovedThing[] = [];
    const notes = new Map<string, PlanNote>();
    for (let round = 1; ; round += 1) {
      const decisions = { ...before, removed: [...(before.removed ?? []), ...removed] };
      const resolved = resolveClaims(drafts, conflicts, decisions);
      const pages = planPages({
        claims: resolved.claims,
        pages: this.#files.pages.pages,
        places: this.#places,
        written,
        today: this.#today,
      });
      for (const note of pages.notes) notes.set(JSON.stringify(note), note);
      if (pages.removed.length === 0 || round === maxRounds)
        return { pages, resolved, decisions, removed, notes: [...notes.values()] };
      removed.push(...pages.removed);
    }
  }

  #decisionsFile(removed: readonly RemovedThing[]): readonly PlannedFile[] {
    const { text } = this.#files.decisions;
    const after = addDecisions(text, { removed });
    if (after === text) return [];
    const changes = removed.map((each) => ({
      subject: subjectOf(each),
      kind: "decision",
      after: JSON.stringify(each),
    }));
    return [{ file: decisionsFile, kind: "decisions", before: text === "" ? undefined : text, after, changes }];
  }

  /**
   * Returns a note for each text that a user wrote in place of a claim, if the text stays although no document supports the claim any
   * longer.
   */
  #unsupported({ removed = [] }: Decisions): readonly PlanNote[] {
    const forms = new Set(this.#curated.drafts.flatMap((draft) => draft.forms));
    return removed.flatMap(({ statement, page = "", edited }): readonly PlanNote[] => {
      const slug = this.#places.names.get(page);
      if (statement === undefined || !edited || slug === undefined || forms.has(normalForm(statement))) return [];
      const message = `No document supports a statement that a person replaced: "${statement}". The person's text stays.`;
      return [{ kind: "kept", file: `context/wiki/${slug}.md`, message }];
    });
  }

  #unreadable(): readonly PlanNote[] {
    const { pages, problems } = this.#files.pages;
    const read = new Set(pages.map(({ file }) => file));
    const unread = problems.filter(({ position }) => !read.has(position.file));
    return unread.map(({ message, position }) => ({ kind: "unreadable", file: position.file, message }));
  }
}

function withPage({ page: _, ...claim }: Claim, pageOf: ReadonlyMap<string, string>): Claim {
  const page = pageOf.get(claim.id);
  return page === undefined ? claim : { ...claim, page };
}

function subjectOf({ statement, page, model, entry, description, join }: RemovedThing): string {
  return (
    statement ?? (model === undefined ? (description ?? join ?? page ?? "") : [model, entry].filter(Boolean).join("."))
  );
}
