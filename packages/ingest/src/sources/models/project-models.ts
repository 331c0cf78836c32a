/** Projects another tool's models to candidates: one for each entry, with the lines of the file that define the entry. */

import {
  type EntryList,
  type FormatOptions,
  type ImportedModels,
  importMetricModels,
  type MetricFormat,
} from "@bridle/metric-formats";
import { omitUndefined, type SourcePosition } from "@bridle/protocol";
import type { ModelFile, SemanticModel } from "@bridle/semantic";
import { type Candidate, modelPartBody, type modelParts } from "../candidate.ts";
import { projected } from "../evidence/item-text.ts";
import { EntryQuotes, type EntryStyle } from "../evidence/quote-entry.ts";
import type { Projection, ProjectionContext, ProjectionFinding } from "../source.ts";
import { RefusedEntries } from "./refused-entries.ts";
import { type DeclaredColumns, declareColumns } from "./undeclared-columns.ts";

export interface ProjectModelsOptions extends FormatOptions {
  /** The name of the source. */
  readonly source: string;
  readonly connection?: string | undefined;
}

type Part = (typeof modelParts)[number];
const partOf: Readonly<Record<EntryList, Part>> = {
  joins: "join",
  dimensions: "dimension",
  measures: "measure",
  segments: "segment",
  metrics: "metric",
};
const lists: readonly EntryList[] = ["joins", "dimensions", "measures", "segments", "metrics"];
/** The table of a model. */
interface RowPlace {
  readonly table?: string;
  readonly connection?: string;
}

/** The number of lines that are quoted from the start of a model. */
const headLines = 8;

/** Projects models. `files` are the items, by id. */
export function projectModels(
  format: MetricFormat,
  files: readonly ModelFile[],
  options: ProjectModelsOptions,
  context: Pick<ProjectionContext, "findTable" | "findColumn" | "placeModel">,
): Projection {
  const { connection, schema } = options;
  const read = (texts: readonly ModelFile[]) =>
    importMetricModels(format, texts, { connection, schema, placeModel: context.placeModel });
  const written = read(files);
  const declared = format.id === "lookml" ? declareColumns(files, written, context) : undefined;
  const imported = declared === undefined ? written : read(declared.files);
  const quotes = new Map(files.map(({ file, text }) => [file, new EntryQuotes(text, styleOf(file))]));
  const projection = new ModelProjection({ imported, quotes, declared }, options, context);
  const candidates = imported.models.flatMap((model) => projection.candidatesOf(model));
  return {
    candidates: [...candidates, ...new RefusedEntries(files).statements(imported.findings, options.source)],
    findings: [...imported.findings.map(toFinding), ...(declared?.findings ?? [])],
  };
}

/** Converts a finding. Findings refer to the imported files, which are items. */
function toFinding({ kind, subject, reason, position }: ImportedModels["findings"][number]): ProjectionFinding {
  const { file, line } = position;
  return { kind, subject, reason, item: file, ...(line === undefined ? {} : { line }) };
}

function styleOf(file: string): EntryStyle {
  return /\.(?:lkml|lookml|js|json)$/i.test(file) ? "braces" : "indented";
}

/** The imported models, with the items' texts. */
interface ReadFiles {
  readonly imported: ImportedModels;
  readonly quotes: ReadonlyMap<string, EntryQuotes>;
  readonly declared: DeclaredColumns | undefined;
}

class ModelProjection {
  readonly #imported: ImportedModels;
  readonly #quotes: ReadonlyMap<string, EntryQuotes>;
  readonly #declared: DeclaredColumns | undefined;
  readonly #options: ProjectModelsOptions;
  readonly #context: Pick<ProjectionContext, "findTable">;

  constructor(
    { imported, quotes, declared }: ReadFiles,
    options: ProjectModelsOptions,
    context: Pick<ProjectionContext, "findTable">,
  ) {
    this.#imported = imported;
    this.#quotes = quotes;
    this.#declared = declared;
    this.#options = options;
    this.#context = context;
  }

  candidatesOf(model: SemanticModel): readonly Candidate[] {
    const place = this.#placeOfRows(model);
    // The identifier of the table contains the connection, so that models of all sources use the same name for it.
    const isHead = ([key]: readonly [string, unknown]) => key !== "connection" && !lists.some((list) => list === key);
    const own = Object.fromEntries(Object.entries(model).filter(isHead));
    const head = model.sql === undefined ? { ...own, table: place.table } : own;
    const first = this.#candidate(model, place, { part: "model", name: model.name, entry: head }, undefined);
    const entries = lists.flatMap((list) =>
      (model[list] ?? []).flatMap((entry) => {
        const name = entry.name ?? ("to" in entry ? entry.to : "");
        return this.#candidate(model, place, { part: partOf[list], name, entry }, list);
      }),
    );
    return [...first, ...entries];
  }

  /** Returns the identifier of the table, or its name if the scan did not find it. Rows from a SQL statement have no table. */
  #placeOfRows({ connection = this.#options.connection, name, table = name, sql }: SemanticModel): RowPlace {
    if (sql !== undefined) return omitUndefined({ connection });
    const full = connection === undefined ? table : `${connection}.${table}`;
    return { table: this.#context.findTable(full) ?? this.#context.findTable(table) ?? full };
  }

  #candidate(
    model: SemanticModel,
    rows: RowPlace,
    { part, name, entry }: { readonly part: Part; readonly name: string; readonly entry: object },
    list: EntryList | undefined,
  ): readonly Candidate[] {
    const position = this.#placeOf(model.name, list, name);
    const quoted = position && this.#quotes.get(position.file)?.at(position, part === "model" ? headLines : undefined);
    if (position === undefined || quoted === undefined) return [];
    const json: unknown = JSON.parse(JSON.stringify(entry, writeBigInt));
    const body = modelPartBody.safeParse({ kind: "model-part", model: model.name, ...rows, part, name, entry: json });
    if (!body.success) return []; // such as a name with more than 120 characters
    return [projected(body.data, { source: this.#options.source, item: position.file, ...quoted })];
  }

  #placeOf(model: string, list: EntryList | undefined, name: string): SourcePosition | undefined {
    const place = this.#imported.placeOf;
    const line = list === "dimensions" ? this.#declared?.lineOf(model, name) : undefined;
    const own = place?.(model);
    if (line !== undefined && own !== undefined) return { file: own.file, line };
    return (list === undefined ? undefined : place?.(model, list, name)) ?? own;
  }
}

/** Writes numbers that JSON cannot represent exactly, which occur only in filters. */
function writeBigInt(_key: string, value: unknown): unknown {
  return typeof value === "bigint" ? value.toString() : value;
}
