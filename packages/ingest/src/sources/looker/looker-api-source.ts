/** Reads explores, dashboards and looks from Looker's API. */
import { z } from "zod";
import { fetchSafely, ItemFailures } from "../api/fetch-safely.ts";
import type {
  FetchContext,
  FetchEvent,
  IngestSource,
  Projection,
  ProjectionContext,
  SourceItem,
  StagedItem,
} from "../source.ts";
import type { LookerClient } from "./looker-client.ts";
import { dashboardItem, exploreId, exploreItem, lookItem, titleOf } from "./looker-items.ts";
import type { LookerListed } from "./looker-schema.ts";
import type { LookerSettings } from "./looker-settings.ts";
import { projectExplores } from "./project-explores.ts";

export class LookerApiSource implements IngestSource {
  readonly type = "looker";
  readonly name: string;
  readonly #client: LookerClient;
  readonly #settings: LookerSettings;

  constructor(name: string, client: LookerClient, settings: LookerSettings) {
    this.name = name;
    this.#client = client;
    this.#settings = settings;
  }

  fetch(context: FetchContext): AsyncIterable<FetchEvent> {
    return fetchSafely(new LookerFetch(this.#client, this.#settings, context).run(), context.signal);
  }

  project(items: readonly StagedItem[], context: ProjectionContext): Projection {
    return projectExplores(this.name, items, this.#settings.connection, context);
  }
}

/** The time of the last update of each dashboard and look, by item id. */
const cursorSchema = z.strictObject({ version: z.literal(1), updated: z.record(z.string(), z.string()) });

class LookerFetch {
  readonly #client: LookerClient;
  readonly #settings: LookerSettings;
  readonly #signal: AbortSignal;
  readonly #known: Readonly<Record<string, string>>;
  readonly #next: Record<string, string> = {};
  readonly #failures = new ItemFailures();
  readonly #base: string;

  constructor(client: LookerClient, settings: LookerSettings, { cursor, signal }: FetchContext) {
    this.#client = client;
    this.#settings = settings;
    this.#signal = signal;
    this.#known = readCursor(cursor);
    this.#base = settings.url?.replace(/\/+$/, "") ?? "";
  }

  async *run(): AsyncIterable<FetchEvent> {
    const wanted = this.#settings.models;
    const models = await this.#client.models(this.#signal);
    for (const name of wanted ?? [])
      if (!models.some(({ model }) => model === name))
        yield {
          kind: "problem",
          message: `Looker has no model ${name}, or does not show it. Correct models of the source.`,
        };
    for (const { model, explores } of models)
      if (wanted === undefined || wanted.includes(model))
        for (const explore of explores) yield* this.#explore(model, explore);
    for (const kind of ["dashboards", "looks"] as const)
      for await (const listed of this.#client.list(kind, this.#signal))
        if (this.#isRead(listed)) yield* this.#content(kind, listed);
    yield { kind: "complete", cursor: JSON.stringify({ version: 1, updated: this.#next }) };
  }

  async *#explore(model: string, name: string): AsyncIterable<FetchEvent> {
    yield* this.#item(exploreId(model, name), async () =>
      exploreItem(
        model,
        await this.#client.explore(model, name, this.#signal),
        `${this.#base}/explore/${model}/${name}`,
      ),
    );
  }

  async *#content(kind: "dashboards" | "looks", listed: LookerListed): AsyncIterable<FetchEvent> {
    const { id: number, updated_at } = listed;
    const id = kind === "dashboards" ? `dashboard/${number}` : `look/${number}`;
    const location = `${this.#base}/${kind}/${number}`;
    if (updated_at && this.#known[id] === updated_at) {
      this.#next[id] = updated_at;
      yield { kind: "unchanged", id };
      return;
    }
    const title = titleOf(listed);
    const read = async () =>
      kind === "dashboards"
        ? dashboardItem(await this.#client.dashboard(number, title, this.#signal), location)
        : lookItem(await this.#client.look(number, title, this.#signal), location);
    for await (const event of this.#item(id, read)) {
      if (event.kind === "item" && updated_at) this.#next[id] = updated_at;
      yield event;
    }
  }

  async *#item(id: string, read: () => Promise<SourceItem>): AsyncIterable<FetchEvent> {
    try {
      const item = await read();
      this.#failures.succeeded();
      yield { kind: "item", item: { ...item, id } };
    } catch (error) {
      yield this.#failures.toProblem(error, id);
    }
  }

  /** Whether a dashboard or look is read. Deleted ones are in the trash. Personal folders are read only if the settings name them. */
  #isRead({ deleted, folder }: LookerListed): boolean {
    if (deleted) return false;
    const { folders } = this.#settings;
    if (folders !== undefined) return folders.includes(folder?.id ?? "");
    return !(folder?.is_personal || folder?.is_personal_descendant);
  }
}

function readCursor(cursor: string | undefined): Readonly<Record<string, string>> {
  try {
    return cursorSchema.safeParse(JSON.parse(cursor ?? "null")).data?.updated ?? {};
  } catch {
    return {};
  }
}
