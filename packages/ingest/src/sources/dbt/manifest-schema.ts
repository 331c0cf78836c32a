/** The fields of `manifest.json` and `catalog.json` that Bridle reads. All other fields are ignored. */
import { z } from "zod";

const text = z.string().nullish();
const anything = z.record(z.string(), z.unknown()).nullish();

const column = z.looseObject({
  name: z.string(),
  description: text,
  meta: anything,
  constraints: z.array(z.unknown()).nullish(),
});

export const manifestNode = z.looseObject({
  resource_type: z.string(),
  name: z.string(),
  package_name: text,
  schema: text,
  alias: text,
  identifier: text,
  source_name: text,
  description: text,
  original_file_path: text,
  columns: z.record(z.string(), column).nullish(),
  constraints: z.array(z.unknown()).nullish(),
  meta: anything,
  config: anything,
  label: text,
  type: text,
  owner: anything,
  depends_on: z.looseObject({ nodes: z.array(z.string()).nullish() }).nullish(),
  attached_node: text,
  column_name: text,
  test_metadata: z.looseObject({ name: z.string(), namespace: text, kwargs: anything }).nullish(),
});
export type ManifestNode = z.output<typeof manifestNode>;

export const dbtManifestSchema = z.looseObject({
  metadata: z.looseObject({ project_name: text, generated_at: text }).nullish(),
  nodes: z.record(z.string(), z.unknown()),
  sources: z.record(z.string(), z.unknown()).nullish(),
  exposures: z.record(z.string(), z.unknown()).nullish(),
  groups: z.record(z.string(), z.unknown()).nullish(),
});
export type DbtManifest = z.output<typeof dbtManifestSchema>;

const catalogNode = z.looseObject({
  metadata: z.looseObject({ schema: text, name: text, comment: text }).nullish(),
  columns: z.record(z.string(), z.looseObject({ name: text, comment: text })).nullish(),
});
export const dbtCatalogSchema = z.looseObject({
  nodes: z.record(z.string(), catalogNode).nullish(),
  sources: z.record(z.string(), catalogNode).nullish(),
});
export type DbtCatalog = z.output<typeof dbtCatalogSchema>;
