/** Imports Cube's cubes from YAML and JavaScript. */
import type { SourcePosition } from "@bridle/protocol";
import type { ModelFile, ModelJoin, SemanticModel } from "@bridle/semantic/model-parts";
import { type ImportFinding, ImportReport, inOrder, refuseImport } from "../import-report.ts";
import type { PlaceOfEntry } from "../metric-format.ts";
import { type ModelRows, readStatement, statementNote } from "../templates/read-statement.ts";
import type { DimensionsOfModels } from "../templates/shadowed-column.ts";
import { readTableName } from "../templates/table-name.ts";
import { TemplateFields } from "../templates/template-fields.ts";
import { withoutRepeated } from "../templates/without-repeated.ts";
import { withoutUnusableJoins, withoutUnusableMetrics } from "../templates/without-unusable-metrics.ts";
import { withoutUnusable } from "../without-unusable.ts";
import { collectCubes } from "./collect-cubes.ts";
import { CubeContext, memberWords } from "./cube-context.ts";
import { convertCubeDimensions, convertSegments, cubeKey } from "./cube-dimensions.ts";
import { convertCubeJoins, cubeLinks } from "./cube-joins.ts";
import { convertCubeMeasures } from "./cube-measures.ts";
import { CubeModel } from "./cube-model.ts";
import type { CubeNode } from "./cube-node.ts";
import { readCubeFiles } from "./read-cube-files.ts";

export interface CubeOptions {
  /** The schema of tables whose name in a cube has none. */
  readonly schema?: string | undefined;
}

export interface CubeImport {
  readonly models: readonly SemanticModel[];
  /** The findings, in the order of the files and their lines. */
  readonly findings: readonly ImportFinding[];
  /** How often each dropped key occurs. Dropped keys do not affect numbers, such as `format`. */
  readonly notNeeded: Readonly<Record<string, number>>;
  readonly placeOf: PlaceOfEntry;
}

/** Reads the files of one project without executing anything in them. Does not throw for invalid files. */
export function importCube(files: readonly ModelFile[], options: CubeOptions = {}): CubeImport {
  const report = new ImportReport();
  const { cubes: nodes, views } = readCubeFiles(files, report);
  for (const view of views) {
    const why =
      "A view selects members of cubes and names the joins to them. Ask for the members of the cubes, by these joins.";
    report.add("refused", view.subject("view"), why, view.position);
  }
  const importer = new CubeImporter(nodes, options, report);
  const models = importer.run();
  const place = (model: string, name: string) => importer.placeOf(model, name) ?? { file: "" };
  const joined = withoutUnusableJoins(models, report, (model, name) => place(model, name));
  const usable = withoutUnusable(joined, report, (model, _, name) => place(model, name));
  return {
    models: withoutUnusableMetrics(joined, usable, report, place),
    findings: inOrder(withoutRepeated(report.findings), files),
    notNeeded: Object.fromEntries([...importer.notNeeded].toSorted(([a], [b]) => (a < b ? -1 : 1))),
    placeOf: (model, _, name) => importer.placeOf(model, name ?? ""),
  };
}

class CubeImporter {
  readonly notNeeded = new Map<string, number>();
  readonly #cubes: Map<string, CubeModel>;
  readonly #options: CubeOptions;
  readonly #report: ImportReport;

  constructor(nodes: readonly CubeNode[], options: CubeOptions, report: ImportReport) {
    this.#options = options;
    this.#report = report;
    const sources = collectCubes(nodes, report);
    const names = new Set(sources.map(({ name }) => name));
    this.#cubes = new Map(sources.map((source) => [source.name, new CubeModel(source, names)]));
  }

  run(): readonly SemanticModel[] {
    const cubes = this.#cubes;
    const rows = new TemplateFields(cubes, new Map());
    const first = new CubeContext(this.#report, cubes, rows, this.notNeeded);
    const tables = new Map<string, ModelRows>();
    for (const cube of [...cubes.values()]) {
      const rows = first.attempt(cube.source.node, "cube", () => this.#rows(cube));
      if (rows === undefined) cubes.delete(cube.name);
      else tables.set(cube.name, rows);
    }
    const joins = new Map([...cubes.values()].map((cube) => [cube.name, convertCubeJoins(cube, rows, first)]));
    const context = new CubeContext(this.#report, cubes, new TemplateFields(cubes, cubeLinks(joins)), this.notNeeded);
    const dimensions = new Map([...cubes.values()].map((cube) => [cube.name, convertCubeDimensions(cube, context)]));
    return [...cubes.values()].map((cube): SemanticModel => {
      const rows = tables.get(cube.name) ?? { table: cube.name };
      return this.#model(cube, rows, joins.get(cube.name) ?? [], dimensions, context);
    });
  }

  #rows({ source: { node, inherited } }: CubeModel): ModelRows {
    if (inherited("calendar")?.value === true)
      refuseImport("A custom calendar is not supported. Periods are those of the calendar.");
    this.#reportOthers(node);
    const name = inherited("sql_table") ?? inherited("sql");
    const text = name?.value;
    if (typeof text !== "string") return refuseImport("Its table is computed or missing. Write sql_table.");
    const isQuery = inherited("sql_table") === undefined;
    const selected = /^\s*select\s+\*\s+from\s+(\S+?)\s*;?\s*$/i.exec(text)?.[1];
    if (isQuery && selected === undefined) return this.#query(node, text);
    const { table, note } = readTableName(isQuery ? (selected ?? "") : text, this.#options.schema);
    if (note !== undefined) this.#report.add("changed", node.subject("cube"), note, node.position);
    return { table };
  }

  #query(node: CubeNode, text: string): ModelRows {
    const sql = readStatement(text) ?? refuseImport("Its sql is not a query that begins with SELECT. Write sql_table.");
    this.#report.add("changed", node.subject("cube"), statementNote, node.position);
    return { sql };
  }

  #reportOthers(node: CubeNode): void {
    const policy = node.child("access_policy");
    if (policy)
      this.#report.add(
        "refused",
        `access_policy of ${node.name}`,
        "Rows and members are not left out by caller here. Write row_filters of the connection.",
        policy.position,
      );
    const source = node.child("data_source");
    if (source && source.value !== "default")
      this.#report.add(
        "changed",
        `data_source of ${node.name}`,
        "The connection decides the database. Name it with --connection.",
        source.position,
      );
  }

  #model(
    cube: CubeModel,
    rows: ModelRows,
    joins: readonly ModelJoin[],
    dimensions: DimensionsOfModels,
    context: CubeContext,
  ): SemanticModel {
    const key = cubeKey(cube, context);
    const { measures, metrics } = convertCubeMeasures(cube, dimensions, context);
    const segments = convertSegments(cube, dimensions, context);
    return {
      name: cube.name,
      ...rows,
      ...(key && { primary_key: key }),
      ...(joins.length > 0 && { joins: [...joins] }),
      dimensions: [...(dimensions.get(cube.name) ?? [])],
      measures: [...measures],
      ...(segments.length > 0 && { segments: [...segments] }),
      ...(metrics.length > 0 && { metrics: [...metrics] }),
      ...memberWords(cube.source.node),
    };
  }

  placeOf(model: string, name: string): SourcePosition | undefined {
    const source = this.#cubes.get(model)?.source;
    const members = [
      ...(source?.measures ?? []),
      ...(source?.dimensions ?? []),
      ...(source?.segments ?? []),
      ...(source?.joins ?? []),
    ];
    const found =
      members.find((each) => each.name === name) ?? members.find((each) => name.startsWith(`${each.name}__`));
    return (found ?? source?.node)?.position;
  }
}
