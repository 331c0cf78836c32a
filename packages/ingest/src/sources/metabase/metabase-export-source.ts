/** Reads exported cards: JSON files with one card, a list of cards, or snippets. */
import { resolve } from "node:path";
import { ConfigError, isPlainObject, isTooDeep } from "@bridle/protocol";
import { listFolder, locate, readFolderFile } from "../files/folder-files.ts";
import type { FetchContext, FetchEvent, IngestSource, Projection, ProjectionContext, StagedItem } from "../source.ts";
import { cardId, cardItem } from "./card-item.ts";
import { toLibrary } from "./metabase-api-source.ts";
import {
  type MetabaseCard,
  type MetabaseSnippet,
  metabaseCard,
  metabaseSnippet,
  nativeSql,
} from "./metabase-schema.ts";
import type { MetabaseSettings } from "./metabase-settings.ts";
import { projectCards } from "./project-cards.ts";
import { resolveCardSql, type SqlLibrary } from "./resolve-sql.ts";

const maxFileBytes = 16_000_000;

interface ExportedCard {
  readonly card: MetabaseCard;
  readonly file: string;
}

export class MetabaseExportSource implements IngestSource {
  readonly type = "metabase";
  readonly name: string;
  readonly #settings: MetabaseSettings;
  readonly #projectDir: string;

  constructor(name: string, settings: MetabaseSettings, projectDir: string) {
    this.name = name;
    this.#settings = settings;
    this.#projectDir = projectDir;
  }

  async *fetch({ signal }: FetchContext): AsyncIterable<FetchEvent> {
    const path = resolve(this.#projectDir, this.#settings.path ?? "");
    const listing = await listFolder(path, (id) => /\.json$/i.test(id), signal);
    yield* listing.problems;
    const cards = new Map<number, ExportedCard>();
    const snippets: MetabaseSnippet[] = [];
    for (const file of listing.files) {
      signal.throwIfAborted();
      const read = await readFolderFile(file, maxFileBytes);
      const found = "problem" in read ? read : readExport(file.id, read.text);
      // Only the file contains the ids of its earlier cards, so none of these cards counts as deleted.
      if ("problem" in found) yield { kind: "problem", ...idInName(file.id), message: found.problem };
      else {
        snippets.push(...found.snippets);
        for (const card of found.cards) {
          const other = cards.get(card.id);
          if (other === undefined) cards.set(card.id, { card, file: file.id });
          else
            yield {
              kind: "problem",
              message: `${file.id} has the card ${card.id}, which ${other.file} has too. Remove one of them.`,
            };
        }
      }
    }
    const library = toLibrary(
      [...cards.values()].map(({ card }) => card),
      snippets,
    );
    for (const each of cards.values())
      if (!each.card.archived) yield toEvent(each, locate(this.#settings.path ?? "", listing, each.file), library);
    if (listing.isComplete) yield { kind: "complete" };
  }

  project(items: readonly StagedItem[], context: ProjectionContext): Projection {
    return projectCards(this.name, items, this.#settings.databases, context);
  }
}

function toEvent({ card }: ExportedCard, location: string, library: SqlLibrary): FetchEvent {
  const { collection, database_id } = card;
  const place = {
    collection: collection?.name ? [collection.name] : [],
    isOfficial: collection?.authority_level === "official",
    database: database_id === null || database_id === undefined ? undefined : `database (${database_id})`,
    location,
  };
  try {
    const written = nativeSql(card);
    return {
      kind: "item",
      item: cardItem(card, written === undefined ? undefined : resolveCardSql(written, card.id, library), place),
    };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return {
      kind: "problem",
      id: cardId(card.id),
      message: `The card ${card.name} is not read: ${error.message}. Correct it, or remove it.`,
    };
  }
}

type ReadExport =
  | { readonly cards: readonly MetabaseCard[]; readonly snippets: readonly MetabaseSnippet[] }
  | { readonly problem: string };

function readExport(file: string, text: string): ReadExport {
  try {
    const raw: unknown = JSON.parse(text);
    if (!isTooDeep(raw)) return sort(file, raw);
  } catch {
    // The remedy is the same for both faults.
  }
  return { problem: `${file} is not a JSON file of Metabase. Export it again, or remove it.` };
}

function sort(file: string, raw: unknown): ReadExport {
  const data = isPlainObject(raw) && Array.isArray(raw.data) ? raw.data : raw;
  const all: readonly unknown[] = Array.isArray(data) ? data : [data];
  const cards = all.flatMap((each) => metabaseCard.safeParse(each).data ?? []);
  const snippets = all.flatMap((each) => metabaseSnippet.safeParse(each).data ?? []);
  if (cards.length + snippets.length > 0 || all.length === 0) return { cards, snippets };
  return { problem: `${file} has no card of Metabase. Export it again, or remove it.` };
}

/** Returns the id in a file name: exports are often named after their card's id. */
function idInName(file: string): { readonly id?: string } {
  const [, id] = /(?:^|\/)(\d{1,15})[^/]*\.json$/i.exec(file) ?? [];
  return id === undefined ? {} : { id: cardId(Number(id)) };
}

/** Whether a JSON text comes from Metabase. */
export function isMetabaseExport(text: string): boolean {
  const read = readExport("", text);
  return "cards" in read && read.cards.length > 0;
}
