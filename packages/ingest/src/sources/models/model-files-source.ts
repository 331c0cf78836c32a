/**
 * Reads MetricFlow, LookML, OSI and Cube files with a parser. Ingest asks a model only about files that the parser cannot read completely.
 */
import { resolve } from "node:path";
import { hasEnding, importMetricModels, type MetricFormat, metricFormats } from "@bridle/metric-formats";
import type { ModelFile } from "@bridle/semantic";
import { listFolder, locate, readFolderFile } from "../files/folder-files.ts";
import { titleOfFile } from "../files/title.ts";
import type { SourceServices } from "../kinds/source-kind.ts";
import type {
  FetchContext,
  FetchEvent,
  IngestSource,
  Projection,
  ProjectionContext,
  SourceItem,
  StagedItem,
} from "../source.ts";

import type { ModelFilesSettings } from "./model-files-settings.ts";
import { projectModels } from "./project-models.ts";
import { RefusedEntries } from "./refused-entries.ts";

const maxFileBytes = 4_000_000;

export function createModelFilesSource(
  name: string,
  settings: ModelFilesSettings,
  { projectDir }: SourceServices,
): IngestSource {
  const format = metricFormats.find(({ id }) => id === settings.type);
  if (format === undefined) throw new Error(`There is no format ${settings.type}.`);
  return new ModelFilesSource(name, settings, format, projectDir);
}

class ModelFilesSource implements IngestSource {
  readonly name: string;
  readonly type: string;
  readonly #settings: ModelFilesSettings;
  readonly #format: MetricFormat;
  readonly #projectDir: string;

  constructor(name: string, settings: ModelFilesSettings, format: MetricFormat, projectDir: string) {
    this.name = name;
    this.type = settings.type;
    this.#settings = settings;
    this.#format = format;
    this.#projectDir = projectDir;
  }

  async *fetch({ signal }: FetchContext): AsyncIterable<FetchEvent> {
    const path = resolve(this.#projectDir, this.#settings.path);
    const listing = await listFolder(path, (id) => hasEnding(this.#format, { file: id }), signal);
    yield* listing.problems;
    const files: ModelFile[] = [];
    for (const file of listing.files) {
      signal.throwIfAborted();
      const read = await readFolderFile(file, maxFileBytes);
      if ("problem" in read) yield { kind: "problem", id: file.id, message: read.problem };
      else if (this.#isOwn({ file: file.id, text: read.text })) files.push({ file: file.id, text: read.text });
    }
    const open = filesWithMore(this.#format, files);
    for (const file of files)
      yield { kind: "item", item: this.#toItem(file, locate(this.#settings.path, listing, file.file), open) };
    if (listing.isComplete) yield { kind: "complete" };
  }

  project(items: readonly StagedItem[], context: ProjectionContext): Projection {
    const files = items.map(({ id }) => ({ file: id, text: context.textOf(id) }));
    const { connection, schema } = this.#settings;
    return projectModels(this.#format, files, { source: this.name, connection, schema }, context);
  }

  /**
   * Whether a file has this format: files in other formats may have the same extension. Files with time spines belong to MetricFlow's
   * models.
   */
  #isOwn(file: ModelFile): boolean {
    return this.#format.recognises(file) || (this.#format.id === "metricflow" && /^\s*time_spine:/m.test(file.text));
  }

  #toItem({ file, text }: ModelFile, location: string, open: ReadonlySet<string>): SourceItem {
    const common = {
      id: file,
      title: titleOfFile(file.replace(/\.(?:view|model|explore)\.lkml$/i, "")),
      text,
      kind: "model",
      skill: "models",
      location,
    } as const;
    return { ...common, authority: "certified", isStructured: !open.has(file) };
  }
}

/** Returns the files in which at least one refused entry has no description. */
export function filesWithMore(format: MetricFormat, files: readonly ModelFile[]): ReadonlySet<string> {
  const entries = new RefusedEntries(files);
  const { findings } = importMetricModels(format, files);
  const open = findings.filter((finding) => finding.kind === "refused" && !entries.isDescribed(finding));
  return new Set(open.map(({ position }) => position.file));
}
