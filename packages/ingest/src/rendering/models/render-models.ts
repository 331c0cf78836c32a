/** Renders models' entries from claims. Pure. */
import { parseTableId } from "@bridle/context";
import { isPlainObject } from "@bridle/protocol";
import type { Claim } from "../../claims/claim.ts";
import { byStrength } from "../../curation/resolution/strength.ts";
import type { CandidateBody, modelParts } from "../../sources/candidate.ts";

type PartBody = Extract<CandidateBody, { kind: "model-part" }>;

/** The keys that define the rows of a model. A file has one of them. */
export const rowKeys = ["table", "sql"] as const;

/** The lists in a model file. */
export const modelLists = ["joins", "dimensions", "measures", "segments", "metrics"] as const;
export type ModelList = (typeof modelLists)[number];

const listOf: Readonly<Record<Exclude<(typeof modelParts)[number], "model">, ModelList>> = {
  join: "joins",
  dimension: "dimensions",
  measure: "measures",
  segment: "segments",
  metric: "metrics",
};

export interface RenderedEntry {
  readonly list: ModelList;
  readonly name: string;
  readonly value: Readonly<Record<string, unknown>>;
}

/** The rows of a model: `table` is `schema.table`, `sql` is a SQL statement. */
type RowsOfModel = { readonly table: string } | { readonly sql: unknown };

export interface RenderedModel {
  readonly name: string;
  readonly connection: string | undefined;
  readonly rows: RowsOfModel;
  /** Keys of the model itself, such as `primary_key`. */
  readonly keys: ReadonlyMap<string, unknown>;
  readonly entries: readonly RenderedEntry[];
}

export interface RenderedModels {
  readonly models: readonly RenderedModel[];
  /** Entries that are not written: models of the same name over several tables, and entries with an undecided conflict. */
  readonly leftOut: readonly { readonly model: string; readonly message: string }[];
}

export function renderModels(claims: readonly Claim[]): RenderedModels {
  const parts = claims.flatMap((claim) => (claim.body.kind === "model-part" ? [{ claim, body: claim.body }] : []));
  const leftOut: RenderedModels["leftOut"][number][] = [];
  const contested = parts.filter(({ claim }) => claim.status === "contested");
  for (const { body } of contested) {
    const subject = `${body.part === "model" ? "" : `${body.part} `}${body.name}`;
    leftOut.push({
      model: body.model,
      message: `Sources disagree about ${subject} of the model ${body.model}. Write the right one into its file.`,
    });
  }
  const current = parts.filter(({ claim }) => claim.status === "current");
  const groups = Map.groupBy(current, ({ body }) => body.model.toLowerCase());
  const models = [...groups]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([, group]) => {
      const { model, place, others } = renderModel(group);
      for (const other of others)
        leftOut.push({
          model: model?.name ?? "",
          message: `The model ${model?.name} is over ${place}. Facts about a model of that name over ${other} were not written.`,
        });
      return model ?? [];
    });
  const unique = new Map(leftOut.map((each) => [each.message, each]));
  return { models, leftOut: [...unique.values()].sort((a, b) => (a.message < b.message ? -1 : 1)) };
}

interface Part {
  readonly claim: Claim;
  readonly body: PartBody;
}

/** Renders a model. The strongest part defines the rows. Parts about other rows belong to another model. */
function renderModel(parts: readonly Part[]): {
  readonly model: RenderedModel | undefined;
  readonly place: string;
  readonly others: readonly string[];
} {
  const sorted = parts.toSorted(compareParts);
  const place = sorted[0] === undefined ? "" : describeRows(sorted[0].body);
  const own = sorted.filter(({ body }) => describeRows(body) === place);
  const rows = findRows(own);
  if (rows === undefined || own[0] === undefined) return { model: undefined, place, others: [] };
  const others = new Set(sorted.map(({ body }) => describeRows(body)).filter((each) => each !== place));
  const keys = own.flatMap(({ body }) =>
    body.part === "model" && body.name in body.entry ? [[body.name, body.entry[body.name]] as const] : [],
  );
  const isPlace = ([key]: readonly [string, unknown]) => ["name", "connection", "table", "sql"].includes(key);
  const entries = own.flatMap(({ body }): readonly RenderedEntry[] =>
    body.part === "model" ? [] : [{ list: listOf[body.part], name: body.name, value: withName(body) }],
  );
  const model = {
    name: own[0].body.model,
    ...rows,
    keys: new Map(keys.filter((key) => !isPlace(key)).sort(([a], [b]) => (a < b ? -1 : 1))),
    entries: withoutRepeatedNames(entries).sort(
      (a, b) => modelLists.indexOf(a.list) - modelLists.indexOf(b.list) || (a.name < b.name ? -1 : 1),
    ),
  };
  return { model, place, others: [...others].sort() };
}

/** Returns a string for the rows of a model (its table, or its SQL statement's connection) that is equal for parts of one model. */
function describeRows({ table, connection }: PartBody): string {
  return table ?? (connection === undefined ? "a statement" : `a statement on ${connection}`);
}

/** Returns the rows of a model; undefined if the scan has no such table, or if no source has the SQL statement. */
function findRows(parts: readonly Part[]): Pick<RenderedModel, "connection" | "rows"> | undefined {
  const { table, connection } = parts[0]?.body ?? {};
  if (table === undefined) {
    const head = parts.find(({ body }) => body.part === "model" && body.name === "sql");
    return head && { connection, rows: { sql: head.body.entry.sql } };
  }
  const path = parseTableId(table);
  return path && { connection: path.connection, rows: { table: `${path.schema}.${path.table}` } };
}

function compareParts({ claim: a }: Part, { claim: b }: Part): number {
  const [ours, theirs] = [a.sources[0], b.sources[0]];
  const order = ours === undefined || theirs === undefined ? 0 : byStrength(ours, theirs);
  return order || (a.id < b.id ? -1 : 1);
}

/** Adds the name of an entry. A join without a name is named after the model that it leads to. */
function withName({ part, name, entry }: PartBody): Readonly<Record<string, unknown>> {
  const { name: _, ...rest } = entry;
  return part === "join" && entry.name === undefined && entry.to === name ? entry : { name, ...rest };
}

function withoutRepeatedNames(entries: readonly RenderedEntry[]): RenderedEntry[] {
  return [...new Map(entries.toReversed().map((each) => [`${each.list} ${each.name.toLowerCase()}`, each])).values()];
}

/** Returns the name that identifies an entry in a file. */
export function nameOfEntry(list: ModelList, entry: unknown): string | undefined {
  if (!isPlainObject(entry)) return undefined;
  const { name, to } = entry;
  if (typeof name === "string") return name;
  return list === "joins" && typeof to === "string" ? to : undefined;
}
