/** Reads cards from Metabase's API. */
import { sha256 } from "@bridle/core";
import { ConfigError, canonicalJson } from "@bridle/protocol";
import { z } from "zod";
import { ApiError } from "../api/api-client.ts";
import { fetchSafely, ItemFailures } from "../api/fetch-safely.ts";
import type { FetchContext, FetchEvent, IngestSource, Projection, ProjectionContext, StagedItem } from "../source.ts";
import { cardId, cardItem } from "./card-item.ts";
import { CollectionTree } from "./collection-tree.ts";
import type { MetabaseClient } from "./metabase-client.ts";
import { type MetabaseCard, nativeSql } from "./metabase-schema.ts";
import type { MetabaseSettings } from "./metabase-settings.ts";
import { projectCards } from "./project-cards.ts";
import { type ResolvedSql, resolveCardSql, type SqlLibrary } from "./resolve-sql.ts";

export class MetabaseApiSource implements IngestSource {
  readonly type = "metabase";
  readonly name: string;
  readonly #client: MetabaseClient;
  readonly #settings: MetabaseSettings;

  constructor(name: string, client: MetabaseClient, settings: MetabaseSettings) {
    this.name = name;
    this.#client = client;
    this.#settings = settings;
  }

  fetch(context: FetchContext): AsyncIterable<FetchEvent> {
    return fetchSafely(new MetabaseFetch(this.#client, this.#settings, context).run(), context.signal);
  }

  project(items: readonly StagedItem[], context: ProjectionContext): Projection {
    return projectCards(this.name, items, this.#settings.databases, context);
  }
}

/** For each card id, a hash of everything from which the card's item was made. */
const cursorSchema = z.strictObject({ version: z.literal(1), cards: z.record(z.string(), z.string()) });

class MetabaseFetch {
  readonly #client: MetabaseClient;
  readonly #settings: MetabaseSettings;
  readonly #signal: AbortSignal;
  readonly #known: Readonly<Record<string, string>>;
  readonly #next: Record<string, string> = {};
  readonly #failures = new ItemFailures();

  constructor(client: MetabaseClient, settings: MetabaseSettings, { cursor, signal }: FetchContext) {
    this.#client = client;
    this.#settings = settings;
    this.#signal = signal;
    this.#known = readCursor(cursor);
  }

  async *run(): AsyncIterable<FetchEvent> {
    const signal = this.#signal;
    const { cards: all, odd } = await this.#client.cards(signal);
    const tree = new CollectionTree(await this.#client.collections(signal), this.#settings.collections);
    const databases = await this.#client.databases(signal);
    const library = toLibrary(all, await this.#client.snippets(signal));
    for (const name of tree.unknown)
      yield {
        kind: "problem",
        message: `Metabase has no collection ${name}, or does not show it. Correct collections of the source.`,
      };
    if (odd > 0) yield { kind: "problem", message: `${odd} cards have an unexpected form, and are not read.` };
    const seen = new Set<number>();
    for (const card of all) {
      if (card.archived || seen.has(card.id) || !tree.isRead(card.collection_id)) continue;
      seen.add(card.id);
      yield* this.#card(card, tree, databases, library);
    }
    // Cards with unexpected fields may be known from earlier fetches.
    if (odd === 0) yield { kind: "complete", cursor: JSON.stringify({ version: 1, cards: this.#next }) };
  }

  async *#card(
    card: MetabaseCard,
    tree: CollectionTree,
    databases: ReadonlyMap<number, string>,
    library: SqlLibrary,
  ): AsyncIterable<FetchEvent> {
    const id = cardId(card.id);
    try {
      const written = nativeSql(card);
      const resolved = written === undefined ? undefined : resolveCardSql(written, card.id, library);
      const place = this.#place(card, tree, databases);
      const { dataset_query, updated_at, description, name, moderation_reviews } = card;
      const made = sha256(
        canonicalJson({ dataset_query, updated_at, description, name, moderation_reviews, resolved, place }),
      );
      if (this.#known[id] === made) yield { kind: "unchanged", id };
      else {
        const whole =
          card.moderation_reviews === undefined ? await this.#client.card(card.id, card.name, this.#signal) : card;
        yield { kind: "item", item: cardItem(whole, resolved ?? (await this.#compile(card)), place) };
      }
      this.#next[id] = made;
      this.#failures.succeeded();
    } catch (error) {
      if (error instanceof ConfigError)
        yield {
          kind: "problem",
          id,
          message: `The card ${card.name} is not read: ${error.message}. Correct it, or archive it.`,
        };
      else yield this.#failures.toProblem(error, id);
    }
  }

  /** Returns a question's compiled SQL; undefined if the account may not write SQL, because it then may not see SQL either. */
  async #compile(card: MetabaseCard): Promise<ResolvedSql | undefined> {
    try {
      const sql = await this.#client.compile(card, this.#signal);
      return sql === undefined ? undefined : { sql, cards: [], optional: [] };
    } catch (error) {
      if (error instanceof ApiError && ["forbidden", "missing", "refused"].includes(error.failure)) return undefined;
      throw error;
    }
  }

  #place(card: MetabaseCard, tree: CollectionTree, databases: ReadonlyMap<number, string>) {
    const { collection_id, database_id } = card;
    const database = database_id === null || database_id === undefined ? undefined : databases.get(database_id);
    const base = this.#settings.url?.replace(/\/+$/, "");
    return {
      collection: tree.namesOf(collection_id),
      isOfficial: tree.isOfficial(collection_id),
      database: database === undefined ? undefined : `${database} (${database_id})`,
      location: base === undefined ? undefined : `${base}/question/${card.id}`,
    };
  }
}

function readCursor(cursor: string | undefined): Readonly<Record<string, string>> {
  try {
    return cursorSchema.safeParse(JSON.parse(cursor ?? "null")).data?.cards ?? {};
  } catch {
    return {};
  }
}

/** Returns the parts to which the SQL of cards may refer, without archived ones. */
export function toLibrary(
  cards: readonly MetabaseCard[],
  snippets: readonly {
    readonly name: string;
    readonly content: string;
    readonly archived?: boolean | null | undefined;
  }[],
): SqlLibrary {
  const sqls = new Map(cards.filter(({ archived }) => !archived).map((card) => [card.id, nativeSql(card)]));
  const contents = new Map(snippets.filter(({ archived }) => !archived).map(({ name, content }) => [name, content]));
  return { cardSql: (id) => sqls.get(id), snippet: (name) => contents.get(name) };
}
