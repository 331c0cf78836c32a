/** Makes users' own text on pages a source. Such text counts as a person's statement, so that documents do not overrule it. */
import { splitBlocks, type WikiPage } from "@bridle/context";
import type { Claim } from "../claims/claim.ts";
import { findPagePlaces } from "../rendering/page-places.ts";
import { peoplesPages, renderPages } from "../rendering/render-pages.ts";
import { hashOfWritten, type WrittenEntries } from "../rendering/written-record.ts";
import { readProjectFiles } from "../runs/changes/read-project.ts";
import type { Candidate } from "../sources/candidate.ts";
import type { FetchEvent, IngestSource, Projection, SourceItem } from "../sources/source.ts";

/** A user's paragraph, with its heading. */
interface PersonParagraph {
  readonly text: string;
  readonly heading: string;
}

const maxChars = 600;

/**
 * Creates a source that reads users' own text from pages. Skips text that ingest wrote. The source recognises such text by
 * `context/written.yaml`, and by rendering the previous run's `claims` because that file may be missing or incomplete.
 */
export function createPagesSource(projectDir: string, claims: () => readonly Claim[] = () => []): IngestSource {
  const paragraphs = new Map<string, { readonly topic: string; readonly texts: readonly PersonParagraph[] }>();
  return {
    name: peoplesPages,
    type: "pages",
    async *fetch(): AsyncGenerator<FetchEvent> {
      const { pages, written } = readProjectFiles(projectDir);
      const { names } = findPagePlaces(pages.pages, written);
      const topics = new Map(Array.from(names, ([key, slug]) => [slug, key.split(" / ")[0] ?? key]));
      const rendered = textsOf(claims());
      paragraphs.clear();
      for (const page of pages.pages) {
        const texts = findParagraphs(page, written.files.get(page.file) ?? new Map(), rendered);
        if (texts.length === 0) continue;
        paragraphs.set(page.slug, { topic: topics.get(page.slug) ?? page.slug, texts });
        yield { kind: "item", item: toItem(page, texts) };
      }
      yield { kind: "complete" };
    },
    project(items): Projection {
      const candidates = items.flatMap(({ id }) => {
        const page = paragraphs.get(id);
        return page === undefined ? [] : page.texts.map((text) => toCandidate(id, page.topic, text));
      });
      return { candidates, findings: [] };
    },
  };
}

/** Returns the rendered texts of claims, without source marks, whose numbers depend on the rest of a page. */
function textsOf(claims: readonly Claim[]): ReadonlySet<string> {
  return new Set(renderPages(claims).flatMap(({ blocks }) => blocks.map(({ text }) => withoutMarks(text))));
}

function withoutMarks(text: string): string {
  return text
    .replaceAll(/(?:(?<!\\)\[\d+\])+(?: and \d+ more)?/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim();
}

function findParagraphs(
  page: WikiPage,
  written: WrittenEntries,
  rendered: ReadonlySet<string>,
): readonly PersonParagraph[] {
  const ours = new Set(written.values());
  let heading = page.front.title ?? page.slug;
  return splitBlocks(page.body).flatMap(({ text, kind }) => {
    if (kind === "heading") heading = text.replace(/^\s*#+\s*/, "").replace(/\s*#*$/, "") || heading;
    const isParagraph =
      kind === "text" &&
      !ours.has(hashOfWritten(text)) &&
      !rendered.has(withoutMarks(text)) &&
      !/^\s*(?:[-+*>|#]|\d+[.)]\s|```|~~~|<|\||\[\^)/.test(text) &&
      !/\n\s*(?:[-+*>|]|\d+[.)]\s)|\[\[/.test(text);
    return isParagraph && text.length <= maxChars ? [{ text, heading }] : [];
  });
}

/** Creates an item without a location. With a page's location, ingest would take the item for its own output. */
function toItem({ slug, front, file }: WikiPage, texts: readonly PersonParagraph[]): SourceItem {
  const title = `${front.title ?? slug} (${file})`;
  return {
    id: slug,
    title,
    text: texts.map(({ text }) => text).join("\n\n"),
    kind: "page",
    authority: "person",
    isStructured: true,
  };
}

function toCandidate(item: string, topic: string, { text, heading }: PersonParagraph): Candidate {
  const statement = text
    .replaceAll(/(?<!\\)\[\d+\]/g, "")
    .replaceAll(/\\(?=[!-/:-@[-`{-~])/g, "")
    .replaceAll(/\s+/g, " ")
    .trim();
  return {
    body: {
      kind: "statement",
      subject: heading.slice(0, 120),
      statement,
      topic: topic.slice(0, 80),
      category: "definition",
      tables: [],
    },
    evidence: { source: peoplesPages, item, quote: text },
    origin: "person",
  };
}
