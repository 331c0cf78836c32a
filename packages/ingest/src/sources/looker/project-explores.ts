import { metricFormats } from "@bridle/metric-formats";
import { projectModels } from "../models/project-models.ts";
import type { Projection, ProjectionContext, StagedItem } from "../source.ts";

/** Projects explores. Each contains its views, so it can be read alone. */
export function projectExplores(
  source: string,
  items: readonly StagedItem[],
  connection: string | undefined,
  context: ProjectionContext,
): Projection {
  const format = metricFormats.find(({ id }) => id === "lookml");
  const explores = items.filter(({ kind }) => kind === "explore");
  const projections = explores.map(({ id }) => {
    if (format === undefined) return { candidates: [], findings: [] };
    // The parser uses the file extension to choose how to read a file.
    const file = `${id}.lkml`;
    const { candidates, findings } = projectModels(
      format,
      [{ file, text: context.textOf(id) }],
      { source, connection },
      context,
    );
    return {
      candidates: candidates.map((each) => ({ ...each, evidence: { ...each.evidence, item: id } })),
      findings: findings.map((each) => ({ ...each, item: id })),
    };
  });
  return {
    candidates: projections.flatMap(({ candidates }) => candidates),
    findings: projections.flatMap(({ findings }) => findings),
  };
}
