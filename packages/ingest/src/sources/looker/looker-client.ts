/** Calls the part of Looker's API 4.0 that Bridle reads. */
import { ConfigError } from "@bridle/protocol";
import { z } from "zod";
import { ApiClient } from "../api/api-client.ts";
import type { SourceServices } from "../kinds/source-kind.ts";
import {
  type LookerDashboard,
  type LookerExplore,
  type LookerListed,
  type LookerLook,
  lookerDashboard,
  lookerExplore,
  lookerListed,
  lookerLook,
  lookerModel,
} from "./looker-schema.ts";
import type { LookerSettings } from "./looker-settings.ts";

const root = "/api/4.0";
const pageSize = 100;
const maxPages = 10_000;

export class LookerClient {
  readonly #api: ApiClient;
  readonly #base: URL;
  readonly #login: { readonly client_id: string; readonly client_secret: string };
  #token: string | undefined;

  constructor(name: string, base: URL, { clientId, clientSecret }: LookerSettings, services: SourceServices) {
    if (clientId === undefined || clientSecret === undefined)
      throw new ConfigError(
        `The source ${name} needs clientId and clientSecret of an API key. Write them; their variables may not be set.`,
      );
    this.#base = base;
    this.#login = { client_id: clientId, client_secret: clientSecret };
    this.#api = new ApiClient({
      product: "Looker",
      base,
      services,
      loginRemedy: "Correct clientId and clientSecret of the source.",
      headers: async (signal) => {
        this.#token ??= await this.#logIn(signal);
        return { Authorization: `token ${this.#token}` };
      },
      forgetLogin: () => this.#forget(),
    });
  }

  /** Returns the explores of each model that the API key may see, except hidden explores. */
  async models(
    signal: AbortSignal,
  ): Promise<readonly { readonly model: string; readonly explores: readonly string[] }[]> {
    const found: { model: string; explores: readonly string[] }[] = [];
    for (let page = 0; page < maxPages; page += 1) {
      const query = { fields: "name,explores", limit: pageSize, offset: page * pageSize };
      const models = await this.#api.ask(
        { path: `${root}/lookml_models`, query, what: "the list of models", signal },
        z.array(lookerModel),
      );
      for (const { name, explores } of models)
        found.push({
          model: name,
          explores: (explores ?? []).filter(({ hidden }) => !hidden).map((each) => each.name),
        });
      if (models.length < pageSize) break;
    }
    return found;
  }

  explore(model: string, name: string, signal: AbortSignal): Promise<LookerExplore> {
    const path = `${root}/lookml_models/${encodeURIComponent(model)}/explores/${encodeURIComponent(name)}`;
    return this.#api.ask({ path, what: `the explore ${name}`, signal }, lookerExplore);
  }

  /** Yields dashboards or looks, read page by page. */
  async *list(kind: "dashboards" | "looks", signal: AbortSignal): AsyncIterable<LookerListed> {
    for (let page = 0; page < maxPages; page += 1) {
      const query = {
        fields: "id,title,updated_at,deleted,folder",
        sorts: "id",
        limit: pageSize,
        offset: page * pageSize,
      };
      const found = await this.#api.ask(
        { path: `${root}/${kind}/search`, query, what: `the list of ${kind}`, signal },
        z.array(lookerListed),
      );
      yield* found;
      if (found.length < pageSize) return;
    }
  }

  dashboard(id: string, title: string, signal: AbortSignal): Promise<LookerDashboard> {
    return this.#api.ask(
      { path: `${root}/dashboards/${encodeURIComponent(id)}`, what: `the dashboard ${title}`, signal },
      lookerDashboard,
    );
  }

  look(id: string, title: string, signal: AbortSignal): Promise<LookerLook> {
    return this.#api.ask(
      { path: `${root}/looks/${encodeURIComponent(id)}`, what: `the look ${title}`, signal },
      lookerLook,
    );
  }

  /** Logs in, with the credentials in the body, because proxies log addresses. */
  async #logIn(signal: AbortSignal): Promise<string> {
    const url = new URL(`${this.#base.pathname.replace(/\/+$/, "")}${root}/login`, this.#base);
    const headers = { "Content-Type": "application/x-www-form-urlencoded", Accept: "application/json" };
    const answer = await this.#api.send({
      method: "POST",
      url,
      headers,
      body: new URLSearchParams(this.#login).toString(),
      signal,
    });
    // Looker responds with 404 if the API key does not exist.
    this.#api.check(answer.status === 404 ? { ...answer, status: 401 } : answer, "a token");
    return this.#api.parse(answer, z.looseObject({ access_token: z.string() }), "a token").access_token;
  }

  #forget(): void {
    this.#token = undefined;
  }
}
