/** Finds evidence for the parts of a proposal in statements that ran. */
import type { SemanticModel } from "@bridle/semantic";
import { columnOfExpression } from "../../history/model-names.ts";
import type { TableUsage, UsageCount } from "../../history/query-history.ts";
import { type ProposedModel, wholeModel } from "./drafts.ts";
import { inputOfMeasure } from "./find-additions.ts";
import { countUsedJoin } from "./used-joins.ts";

/** A part of a proposal that statements use, by its name within the model. */
export interface UsedEntry extends UsageCount {
  readonly kind: "dimension" | "segment" | "join";
  /** `model.name` */
  readonly name: string;
}

/** Counts how often statements compute a measure. */
export function usageOfMeasure(
  measure: NonNullable<SemanticModel["measures"]>[number] | undefined,
  usage: TableUsage | undefined,
): UsageCount | undefined {
  const found = usage?.aggregates.find(({ agg, expr, filter }) => {
    const same = {
      name: "",
      agg,
      ...(expr !== undefined && { expr }),
      ...(filter !== undefined && { filters: [filter] }),
    };
    return measure !== undefined && inputOfMeasure(same) === inputOfMeasure(measure);
  });
  return found && countOf(found);
}

/** The sources of evidence. */
export interface UsageSources {
  /** How statements use each table, by table identifier. */
  readonly usage: ReadonlyMap<string, TableUsage>;
  /** The table identifiers by model name. */
  readonly tables: ReadonlyMap<string, string>;
}

/** Lists the new dimensions, segments and joins of a proposal that statements use. */
export function usedEntries(draft: ProposedModel, { usage, tables }: UsageSources): readonly UsedEntry[] {
  const { additions, table } = draft;
  const { name: model } = wholeModel(draft);
  const entry = (kind: UsedEntry["kind"], name: string, count: UsageCount | undefined): readonly UsedEntry[] =>
    count === undefined ? [] : [{ kind, name: `${model}.${name}`, ...countOf(count) }];
  return [
    ...additions.dimensions.flatMap(({ name, expr }) => {
      const column = expr === undefined ? name : columnOfExpression(expr);
      return entry(
        "dimension",
        name,
        draft.usage?.groups.find((each) => each.column === column),
      );
    }),
    ...additions.segments.flatMap(({ name, filter }) =>
      entry(
        "segment",
        name,
        draft.usage?.conditions.find(({ condition }) => condition === filter),
      ),
    ),
    ...additions.joins.flatMap(({ name, to, on }) => {
      const pairs = typeof on === "string" ? [] : on;
      const ends = {
        from: { table: table.id, columns: pairs.map(([local]) => local) },
        to: { table: tables.get(to) ?? "", columns: pairs.map(([, remote]) => remote) },
      };
      return entry("join", name ?? to, countUsedJoin(ends, usage, table.connection));
    }),
  ];
}

function countOf({ statements, runs }: UsageCount): UsageCount {
  return { statements, runs };
}
