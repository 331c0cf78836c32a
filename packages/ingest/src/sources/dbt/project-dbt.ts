/** Projects a whole dbt project to candidates. */
import { metricFormats } from "@bridle/metric-formats";
import type { ModelFile } from "@bridle/semantic";
import { YamlText } from "../evidence/yaml-text.ts";
import { projectModels } from "../models/project-models.ts";
import type { Projection, ProjectionContext, ProjectionFinding, StagedItem } from "../source.ts";
import { DbtNames } from "./dbt-names.ts";
import { dbtTablesIn } from "./dbt-tables.ts";
import { type DocBlock, findDocBlocks } from "./doc-blocks.ts";
import { projectExposures } from "./project-exposures.ts";
import { TableProjector } from "./project-tables.ts";

export interface ProjectDbtOptions {
  readonly source: string;
  readonly connection?: string | undefined;
  readonly schema?: string | undefined;
}

interface ReadFile {
  readonly id: string;
  readonly yaml: YamlText;
}

export function projectDbt(
  items: readonly StagedItem[],
  options: ProjectDbtOptions,
  context: ProjectionContext,
): Projection {
  const files = items
    .filter(({ kind }) => kind === "properties")
    .map(({ id }) => ({ id, yaml: new YamlText(context.textOf(id)) }));
  const nodes = items
    .filter(({ kind }) => kind === "node")
    .map(({ id }) => ({ id, yaml: new YamlText(context.textOf(id)) }));
  const blocks = items
    .filter(({ kind }) => kind === "document")
    .flatMap(({ id }) => findDocBlocks(id, context.textOf(id)));
  // The manifest has the content of the properties files, with every reference resolved.
  const properties = projectProperties(nodes.length > 0 ? nodes : files, blocks, options, context);
  const models = projectSemantics(files, options, context);
  const faults = files.flatMap(({ id, yaml: { fault } }): readonly ProjectionFinding[] =>
    fault === undefined ? [] : [{ kind: "refused", subject: id, reason: fault.reason, item: id, line: fault.line }],
  );
  return {
    candidates: [...properties.candidates, ...models.candidates],
    findings: [...faults, ...properties.findings, ...models.findings],
  };
}

/** Whether a file has semantic models or metrics. Most files without any are recognized without parsing. */
export function isSemantic(file: ModelFile): boolean {
  if (!/semantic_model|type_params/.test(file.text)) return false;
  return metricFormats.some((format) => format.id === "metricflow" && format.recognises(file));
}

function projectProperties(
  files: readonly ReadFile[],
  blocks: readonly DocBlock[],
  { source, connection, schema }: ProjectDbtOptions,
  context: ProjectionContext,
): Projection {
  const roots = files.flatMap(({ id, yaml }) => yaml.roots.map((root) => ({ id, root })));
  const all = roots.flatMap(({ id, root }) => dbtTablesIn(id, root, schema));
  const first = new Map(all.toReversed().map((table) => [table.name, table]));
  const names = new DbtNames(all, blocks, connection, context);
  const projector = new TableProjector(source, names);
  for (const table of all) {
    if (first.get(table.name) === table) projector.project(table);
    else {
      const reason = "Another entry before it has the same name. Keep one.";
      projector.findings.push({
        kind: "refused",
        subject: `properties of ${table.name}`,
        reason,
        item: table.item,
        line: table.at.line,
      });
    }
  }
  const exposures = roots.flatMap(({ id, root }) => projectExposures(source, id, root, names));
  return { candidates: [...projector.candidates, ...exposures], findings: projector.findings };
}

function projectSemantics(
  files: readonly ReadFile[],
  options: ProjectDbtOptions,
  context: ProjectionContext,
): Projection {
  const format = metricFormats.find(({ id }) => id === "metricflow");
  const whole = files.filter(({ yaml }) => yaml.fault === undefined);
  const readable = whole.map(({ id, yaml }) => ({ file: id, text: yaml.text }));
  if (format === undefined || !readable.some(isSemantic)) return { candidates: [], findings: [] };
  const read = readable.filter((file) => isSemantic(file) || /time_spine/.test(file.text));
  return projectModels(format, read, options, context);
}
