/** Calls the part of Metabase's API that Bridle reads. */
import { ConfigError } from "@bridle/protocol";
import { z } from "zod";
import { ApiClient, ApiError } from "../api/api-client.ts";
import type { SourceServices } from "../kinds/source-kind.ts";
import {
  compiledQuery,
  type MetabaseCard,
  type MetabaseCollection,
  type MetabaseSnippet,
  metabaseCard,
  metabaseCollection,
  metabaseDatabases,
  metabaseSnippet,
} from "./metabase-schema.ts";
import type { MetabaseSettings } from "./metabase-settings.ts";

export class MetabaseClient {
  readonly #api: ApiClient;
  readonly #base: URL;
  readonly #settings: MetabaseSettings;
  #session: string | undefined;

  constructor(name: string, base: URL, settings: MetabaseSettings, services: SourceServices) {
    const { apiKey, username, password } = settings;
    if (apiKey === undefined && (username === undefined || password === undefined))
      throw new ConfigError(
        `The source ${name} needs apiKey, or username and password. Write one of them; its variable may not be set.`,
      );
    this.#base = base;
    this.#settings = settings;
    this.#api = new ApiClient({
      product: "Metabase",
      base,
      services,
      loginRemedy:
        apiKey === undefined
          ? "Correct username and password of the source."
          : "Correct apiKey of the source: it may have been revoked.",
      headers: (signal) => this.#headers(signal),
      ...(apiKey === undefined ? { forgetLogin: () => this.#forget() } : {}),
    });
  }

  /** Returns the cards that are not archived and that the account may see. */
  async cards(signal: AbortSignal): Promise<{ readonly cards: readonly MetabaseCard[]; readonly odd: number }> {
    const request = { path: "/api/card", query: { f: "all" }, what: "the list of cards", signal };
    const all = await this.#api.ask(request, z.array(z.unknown()));
    const cards = all.flatMap((each) => metabaseCard.safeParse(each).data ?? []);
    return { cards, odd: all.length - cards.length };
  }

  card(id: number, name: string, signal: AbortSignal): Promise<MetabaseCard> {
    return this.#api.ask({ path: `/api/card/${id}`, what: `the card ${name}`, signal }, metabaseCard);
  }

  collections(signal: AbortSignal): Promise<readonly MetabaseCollection[]> {
    return this.#api.ask(
      { path: "/api/collection", what: "the list of collections", signal },
      z.array(metabaseCollection),
    );
  }

  /** Returns the snippets; none if the account cannot see them. Some accounts can see cards but not the snippets. */
  async snippets(signal: AbortSignal): Promise<readonly MetabaseSnippet[]> {
    const request = { path: "/api/native-query-snippet", what: "the list of snippets", signal };
    return this.#api.ask(request, z.array(metabaseSnippet)).catch(noneIfForbidden);
  }

  /** Returns the names of the databases by id. */
  async databases(signal: AbortSignal): Promise<ReadonlyMap<number, string>> {
    const request = { path: "/api/database", what: "the list of databases", signal };
    const found = await this.#api.ask(request, metabaseDatabases).catch(noneIfForbidden);
    const list = Array.isArray(found) ? [] : found.data;
    return new Map(list.map(({ id, name }) => [id, name]));
  }

  /** Returns the SQL of a question built in the editor, which is compiled but not run. */
  async compile({ dataset_query, name }: MetabaseCard, signal: AbortSignal): Promise<string | undefined> {
    const request = { path: "/api/dataset/native", body: dataset_query, what: `the SQL of the card ${name}`, signal };
    const { query } = await this.#api.ask(request, compiledQuery);
    return typeof query === "string" ? query : undefined;
  }

  async #headers(signal: AbortSignal): Promise<Record<string, string>> {
    const { apiKey } = this.#settings;
    if (apiKey !== undefined) return { "X-API-Key": apiKey };
    this.#session ??= await this.#login(signal);
    return { "X-Metabase-Session": this.#session };
  }

  async #login(signal: AbortSignal): Promise<string> {
    const { username, password } = this.#settings;
    const url = new URL(`${this.#base.pathname.replace(/\/+$/, "")}/api/session`, this.#base);
    const headers = { "Content-Type": "application/json", Accept: "application/json" };
    const answer = await this.#api.send({
      method: "POST",
      url,
      headers,
      body: JSON.stringify({ username, password }),
      signal,
    });
    // Metabase responds with 400 or 401 to a wrong password.
    this.#api.check(answer.status === 400 ? { ...answer, status: 401 } : answer, "a session");
    return this.#api.parse(answer, z.looseObject({ id: z.string() }), "a session").id;
  }

  #forget(): void {
    this.#session = undefined;
  }
}

function noneIfForbidden(error: unknown): [] {
  if (error instanceof ApiError && (error.failure === "forbidden" || error.failure === "missing")) return [];
  throw error;
}
