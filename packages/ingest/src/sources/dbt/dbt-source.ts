/** Reads a dbt project: its files, or the artifacts of its last run. */
import { basename, join, resolve } from "node:path";
import { metricFormats } from "@bridle/metric-formats";
import { isPlainObject, isTooDeep } from "@bridle/protocol";
import type { z } from "zod";
import { YamlText } from "../evidence/yaml-text.ts";
import { type FolderFile, listFolder, locate, readFolderFile } from "../files/folder-files.ts";
import { readFrontMatter } from "../files/front-matter.ts";
import { findLinks } from "../files/links.ts";
import { firstHeading, titleOfFile } from "../files/title.ts";
import type { SourceServices } from "../kinds/source-kind.ts";
import { filesWithMore } from "../models/model-files-source.ts";
import type {
  FetchContext,
  FetchEvent,
  IngestSource,
  Projection,
  ProjectionContext,
  SourceItem,
  StagedItem,
} from "../source.ts";
import type { DbtSettings } from "./dbt-settings.ts";
import { manifestItems } from "./manifest-items.ts";
import { type DbtCatalog, dbtCatalogSchema, dbtManifestSchema } from "./manifest-schema.ts";
import { isSemantic, projectDbt } from "./project-dbt.ts";

const maxFileBytes = 4_000_000;
const maxManifestBytes = 150_000_000;
/** dbt's own settings files. A profile contains credentials. */
const settingFiles = /^(?:dbt_project|packages|dependencies|package-lock|profiles|selectors|dbt_cloud)\.ya?ml$/;
const semanticKeys = ["semantic_models", "semantic_model", "metrics", "metric"];
const propertyKeys = ["models", "sources", "seeds", "snapshots", "exposures", "groups", ...semanticKeys];

export function createDbtSource(name: string, settings: DbtSettings, { projectDir }: SourceServices): IngestSource {
  return new DbtSource(name, settings, projectDir);
}

class DbtSource implements IngestSource {
  readonly type = "dbt";
  readonly name: string;
  readonly #settings: DbtSettings;
  readonly #projectDir: string;

  constructor(name: string, settings: DbtSettings, projectDir: string) {
    this.name = name;
    this.#settings = settings;
    this.#projectDir = projectDir;
  }

  async *fetch({ signal }: FetchContext): AsyncIterable<FetchEvent> {
    const path = resolve(this.#projectDir, this.#settings.path);
    const target = this.#settings.target ?? "target";
    const listing = await listFolder(path, (id) => isRead(id, target), signal);
    yield* listing.problems;
    const manifest = await this.#readManifest(path, target);
    for (const message of manifest.problems) yield { kind: "problem", message };
    const texts = new Map<string, string>();
    for (const file of listing.files) {
      signal.throwIfAborted();
      const read = await readFolderFile(file, maxFileBytes);
      if ("problem" in read) yield { kind: "problem", id: file.id, message: read.problem };
      else texts.set(file.id, read.text);
    }
    for (const item of toItems(texts, manifest.items.length > 0, (id) => locate(this.#settings.path, listing, id)))
      yield { kind: "item", item };
    for (const item of manifest.items) yield { kind: "item", item };
    if (listing.isComplete && manifest.isRead) yield { kind: "complete" };
  }

  project(items: readonly StagedItem[], context: ProjectionContext): Projection {
    const { connection, schema } = this.#settings;
    return projectDbt(items, { source: this.name, connection, schema }, context);
  }

  /** Reads a manifest. If that fails, the manifest's earlier items remain. */
  async #readManifest(path: string, target: string) {
    const none = { items: [] as readonly SourceItem[], problems: [] as readonly string[], isRead: true };
    const folder = await listFolder(join(path, target), (id) => /^(?:manifest|catalog)\.json$/.test(id)).catch(
      () => undefined,
    );
    const file = (name: string) => folder?.files.find(({ id }) => id === name);
    const found = file("manifest.json");
    if (found === undefined) return none;
    const manifest = await readJson(found, dbtManifestSchema);
    if ("problem" in manifest) return { ...none, problems: [manifest.problem], isRead: false };
    const catalogFile = file("catalog.json");
    const catalog = catalogFile === undefined ? undefined : await readJson(catalogFile, dbtCatalogSchema);
    const known: DbtCatalog = catalog !== undefined && "value" in catalog ? catalog.value : {};
    const { items, unread } = manifestItems(manifest.value, known);
    const odd = unread.map((id) => `The node ${id} of manifest.json has an unexpected form. It is left out.`);
    const problems = [...(catalog !== undefined && "problem" in catalog ? [catalog.problem] : []), ...odd];
    return { items, problems, isRead: true };
  }
}

function isRead(id: string, target: string): boolean {
  return /\.(?:ya?ml|md)$/i.test(id) && !id.startsWith(`${target}/`) && !settingFiles.test(basename(id).toLowerCase());
}

async function readJson<Schema extends z.ZodType>(
  file: FolderFile,
  schema: Schema,
): Promise<{ readonly value: z.output<Schema> } | { readonly problem: string }> {
  const read = await readFolderFile(file, maxManifestBytes);
  if ("problem" in read) return read;
  try {
    const raw: unknown = JSON.parse(read.text);
    const parsed = isTooDeep(raw) ? undefined : schema.safeParse(raw);
    if (parsed?.success) return { value: parsed.data };
  } catch {
    // The remedy is the same for both faults.
  }
  return { problem: `${file.id} is not a valid file of dbt. Run dbt compile again, or remove the file.` };
}

function toItems(
  texts: ReadonlyMap<string, string>,
  hasManifest: boolean,
  locationOf: (id: string) => string,
): readonly SourceItem[] {
  const files = [...texts].map(([file, text]) => ({ file, text }));
  const format = metricFormats.find(({ id }) => id === "metricflow");
  const semantic = files.filter(isSemantic);
  const open = format === undefined ? new Set<string>() : filesWithMore(format, semantic);
  return files.flatMap(({ file: id, text }) => {
    const location = locationOf(id);
    if (/\.md$/i.test(id)) return [documentItem(id, text, location)];
    const keys = hasManifest ? semanticKeys : propertyKeys;
    const yaml = new YamlText(text);
    const isOwn =
      yaml.fault !== undefined ||
      yaml.roots.some(({ value }) => isPlainObject(value) && keys.some((key) => key in value));
    if (!isOwn) return [];
    const isStructured = yaml.fault === undefined && !open.has(id) && !hasLongText(yaml);
    return [
      {
        id,
        title: titleOfFile(id),
        text,
        kind: "properties",
        authority: "certified",
        location,
        isStructured,
      } satisfies SourceItem,
    ];
  });
}

/** Creates the item of a Markdown file. Doc blocks are definitions of the project; other Markdown is prose. */
function documentItem(id: string, whole: string, location: string): SourceItem {
  const { title, text, updatedAt } = readFrontMatter(whole);
  const isDocs = /\{%-?\s{0,9}docs\s/.test(text);
  return {
    id,
    text,
    kind: "document",
    location,
    links: findLinks(text, id),
    title: title ?? firstHeading(text) ?? titleOfFile(id),
    authority: isDocs ? "certified" : "document",
    ...(updatedAt === undefined ? {} : { updatedAt }),
  };
}

/** Whether a description is so long that a parser cannot import it completely. */
function hasLongText({ roots }: YamlText): boolean {
  return (
    JSON.stringify(
      roots.map(({ value }) => value),
      (_key, value: unknown) => value,
    )?.search(/"description":"(?:[^"\\]|\\.){600}/) !== -1
  );
}
