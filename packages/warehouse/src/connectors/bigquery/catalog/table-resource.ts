import { z } from "zod";
import type { TableName, TableStructure } from "../../../port/structure.ts";
import { type BigQueryField, fieldSchema, fieldTypeOf, isRepeated, sqlTypeOf } from "../values/fields.ts";
import type { BigQueryPlaces } from "./places.ts";

const foreignKeySchema = z.object({
  referencedTable: z.object({ projectId: z.string(), datasetId: z.string(), tableId: z.string() }),
  columnReferences: z.array(z.object({ referencingColumn: z.string(), referencedColumn: z.string() })).default([]),
});

const partitioningSchema = z.object({
  type: z.string().optional(),
  field: z.string().optional(),
  requirePartitionFilter: z.boolean().optional(),
});

/** A table as the API describes it, limited to the fields that are used here. */
export const tableSchema = z.object({
  type: z.string().default("TABLE"),
  description: z.string().optional(),
  schema: z.object({ fields: z.array(fieldSchema).default([]) }).optional(),
  numRows: z.string().optional(),
  numBytes: z.string().optional(),
  lastModifiedTime: z.string().optional(),
  streamingBuffer: z.unknown().optional(),
  timePartitioning: partitioningSchema.optional(),
  rangePartitioning: partitioningSchema.optional(),
  requirePartitionFilter: z.boolean().optional(),
  view: z.object({ query: z.string().default(""), useLegacySql: z.boolean().default(true) }).optional(),
  materializedView: z.object({ query: z.string().default("") }).optional(),
  tableConstraints: z
    .object({
      primaryKey: z.object({ columns: z.array(z.string()).default([]) }).optional(),
      foreignKeys: z.array(foreignKeySchema).default([]),
    })
    .optional(),
});
export type TableResource = z.output<typeof tableSchema>;

/** Returns the SELECT of a view in GoogleSQL. Undefined if the view uses another dialect, or if the API does not return it. */
export function selectOf({ view, materializedView }: TableResource): string | undefined {
  if (view !== undefined) return view.useLegacySql ? undefined : view.query;
  return materializedView?.query;
}

const views = new Set(["VIEW", "MATERIALIZED_VIEW"]);
/** Types of tables whose rows BigQuery itself stores. BigQuery does not know the row counts of other tables. */
const stored = new Set(["TABLE", "SNAPSHOT"]);

export function tableKindOf({ type }: Pick<TableResource, "type">): TableStructure["kind"] {
  return views.has(type) ? "view" : "table";
}

export function structureOf(name: TableName, table: TableResource, places: BigQueryPlaces): TableStructure {
  const { primaryKey, foreignKeys = [] } = table.tableConstraints ?? {};
  return {
    schema: name.schema,
    table: name.table,
    kind: tableKindOf(table),
    columns: (table.schema?.fields ?? []).map(columnOf),
    primaryKey: primaryKey?.columns ?? [],
    uniqueKeys: [],
    foreignKeys: foreignKeys.map(({ referencedTable, columnReferences }) => ({
      columns: columnReferences.map(({ referencingColumn }) => referencingColumn),
      references: {
        schema: places.schemaOf({ project: referencedTable.projectId, dataset: referencedTable.datasetId }),
        table: referencedTable.tableId,
        columns: columnReferences.map(({ referencedColumn }) => referencedColumn),
      },
    })),
    comment: [table.description, describePartitions(table)].filter(Boolean).join("\n") || undefined,
    estimatedRows: stored.has(table.type) && table.numRows !== undefined ? Number(table.numRows) : undefined,
  };
}

/** Describes the partitions, because a statement is billed for the partitions that it reads. */
function describePartitions(table: TableResource): string | undefined {
  const { timePartitioning: time, rangePartitioning: range } = table;
  if (time === undefined && range === undefined) return undefined;
  const column = time?.field ?? range?.field ?? "_PARTITIONTIME";
  const isRequired = (table.requirePartitionFilter ?? time?.requirePartitionFilter) === true;
  const unit = time?.type === undefined ? "" : ` (${time.type})`;
  return `Partitioned by ${column}${unit}.${isRequired ? " Each statement needs a condition on it." : ""}`;
}

function columnOf(field: BigQueryField) {
  return {
    name: field.name,
    type: fieldTypeOf(field),
    nativeType: sqlTypeOf(field),
    nullable: field.mode !== "REQUIRED" && !isRepeated(field),
    comment: field.description || undefined,
  };
}
