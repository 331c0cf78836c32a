/** Reads JSON exported from Looker's API: an explore, a dashboard or a look in each file, or lists of them. */
import { posix, resolve } from "node:path";
import { isPlainObject, isTooDeep } from "@bridle/protocol";
import { listFolder, locate, readFolderFile } from "../files/folder-files.ts";
import type {
  FetchContext,
  FetchEvent,
  IngestSource,
  Projection,
  ProjectionContext,
  SourceItem,
  StagedItem,
} from "../source.ts";
import { dashboardItem, exploreItem, lookItem } from "./looker-items.ts";
import { lookerDashboard, lookerExplore, lookerLook } from "./looker-schema.ts";
import type { LookerSettings } from "./looker-settings.ts";
import { projectExplores } from "./project-explores.ts";

const maxFileBytes = 32_000_000;

export class LookerExportSource implements IngestSource {
  readonly type = "looker";
  readonly name: string;
  readonly #settings: LookerSettings;
  readonly #projectDir: string;

  constructor(name: string, settings: LookerSettings, projectDir: string) {
    this.name = name;
    this.#settings = settings;
    this.#projectDir = projectDir;
  }

  async *fetch({ signal }: FetchContext): AsyncIterable<FetchEvent> {
    const path = resolve(this.#projectDir, this.#settings.path ?? "");
    const listing = await listFolder(path, (id) => /\.json$/i.test(id), signal);
    yield* listing.problems;
    const seen = new Map<string, string>();
    let isComplete = listing.isComplete;
    for (const file of listing.files) {
      signal.throwIfAborted();
      const read = await readFolderFile(file, maxFileBytes);
      const items =
        "problem" in read
          ? undefined
          : readLookerExport(file.id, read.text, locate(this.#settings.path ?? "", listing, file.id));
      if (items === undefined) {
        // The earlier items of the file are unknown, so no item counts as deleted.
        isComplete = false;
        yield {
          kind: "problem",
          message:
            "problem" in read
              ? read.problem
              : `${file.id} is not a JSON file of Looker. Export it again, or remove it.`,
        };
        continue;
      }
      for (const item of items) {
        const other = seen.get(item.id);
        seen.set(item.id, other ?? file.id);
        if (other === undefined) yield { kind: "item", item };
        else
          yield { kind: "problem", message: `${file.id} has ${item.id}, which ${other} has too. Remove one of them.` };
      }
    }
    if (isComplete) yield { kind: "complete" };
  }

  project(items: readonly StagedItem[], context: ProjectionContext): Projection {
    return projectExplores(this.name, items, this.#settings.connection, context);
  }
}

/** Reads the items of a file; undefined if there are none. */
export function readLookerExport(file: string, text: string, location: string): readonly SourceItem[] | undefined {
  try {
    const raw: unknown = JSON.parse(text);
    if (isTooDeep(raw)) return undefined;
    const all: readonly unknown[] = Array.isArray(raw) ? raw : [raw];
    const items = all.flatMap((each) => toItem(each, file, location) ?? []);
    return items.length === 0 ? undefined : items;
  } catch {
    return undefined;
  }
}

function toItem(raw: unknown, file: string, location: string): SourceItem | undefined {
  if (!isPlainObject(raw)) return undefined;
  const explore = lookerExplore.safeParse(raw);
  if (explore.success) return exploreItem(explore.data.model_name ?? posix.dirname(file), explore.data, location);
  const dashboard = lookerDashboard.safeParse(raw);
  if (dashboard.success) return dashboard.data.deleted ? undefined : dashboardItem(dashboard.data, location);
  const look = "query" in raw ? lookerLook.safeParse(raw) : undefined;
  return look?.success && look.data.query?.view && !look.data.deleted ? lookItem(look.data, location) : undefined;
}
