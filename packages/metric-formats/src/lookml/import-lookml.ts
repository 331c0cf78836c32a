/** Imports LookML's views and explores. */
import type { SourcePosition } from "@bridle/protocol";
import type { ModelDimension, ModelFile, SemanticModel } from "@bridle/semantic/model-parts";
import { type ImportFinding, ImportReport, inOrder, refuseImport } from "../import-report.ts";
import { type ModelRows, readStatement, statementNote } from "../templates/read-statement.ts";
import { readTableName } from "../templates/table-name.ts";
import { TemplateFields } from "../templates/template-fields.ts";
import { withoutRepeated } from "../templates/without-repeated.ts";
import { withoutUnusableJoins, withoutUnusableMetrics } from "../templates/without-unusable-metrics.ts";
import { withoutUnusable } from "../without-unusable.ts";
import { baseRows } from "./always-where.ts";
import { checkIncludes } from "./check-includes.ts";
import { blockWords, convertDimensions, primaryKey } from "./convert-dimensions.ts";
import { convertMeasures } from "./convert-lookml-measures.ts";
import { LookmlContext } from "./lookml-context.ts";
import { joinsOfExplores, type LookmlExplore, linksOf, readExplores } from "./lookml-explores.ts";
import type { LookmlJoin } from "./lookml-joins.ts";
import { checkFile } from "./lookml-parameters.ts";
import { collectProject, type LookmlProject } from "./lookml-project.ts";
import type { LookmlBlock } from "./lookml-tree.ts";
import { LookmlView } from "./lookml-view.ts";
import { readLookmlFiles } from "./read-lookml-files.ts";

export interface LookmlOptions {
  /** The schema of tables whose name in a view has none. */
  readonly schema?: string | undefined;
}

export interface LookmlImport {
  readonly models: readonly SemanticModel[];
  /** The findings, in the order of the files and their lines. */
  readonly findings: readonly ImportFinding[];
  /** How often each dropped parameter occurs. Dropped parameters do not affect numbers, such as `value_format`. */
  readonly notNeeded: Readonly<Record<string, number>>;
  placeOf(model: string, list?: string, name?: string): SourcePosition | undefined;
}

/** Reads the files of one project without executing anything in them. Does not throw for invalid files. */
export function importLookml(files: readonly ModelFile[], options: LookmlOptions = {}): LookmlImport {
  const report = new ImportReport();
  const parsed = readLookmlFiles(files, report);
  const project = collectProject(parsed, report);
  const { models, notNeeded, views } = new LookmlImporter(project, options, report).run();
  const place = (model: string, name: string) => placeIn(views.get(model), name);
  const joined = withoutUnusableJoins(models, report, (model) => place(model, ""));
  const usable = withoutUnusable(joined, report, (model, _, name) => place(model, name));
  checkIncludes(parsed, files, report);
  return {
    models: withoutUnusableMetrics(joined, usable, report, place),
    findings: inOrder(withoutRepeated(report.findings), files),
    notNeeded: Object.fromEntries([...notNeeded].toSorted(([a], [b]) => (a < b ? -1 : 1))),
    placeOf: (model, list, name) => (views.has(model) && list !== "joins" ? place(model, name ?? "") : undefined),
  };
}

class LookmlImporter {
  readonly #project: LookmlProject;
  readonly #options: LookmlOptions;
  readonly #report: ImportReport;

  constructor(project: LookmlProject, options: LookmlOptions, report: ImportReport) {
    this.#project = project;
    this.#options = options;
    this.#report = report;
  }

  run() {
    const { files, views: blocks, explores: declared, isCaseSensitive } = this.#project;
    const views = new Map(blocks.map((block) => [block.name, new LookmlView(block)]));
    const first = new LookmlContext(this.#report, views, new TemplateFields(views, new Map()), isCaseSensitive);
    for (const file of files) checkFile(file, this.#report, first.count);
    const tables = this.#tables(first);
    for (const name of [...views.keys()]) if (!tables.has(name)) views.delete(name);
    const explores = readExplores(declared, first);
    const joins = joinsOfExplores(explores, first);
    const context = new LookmlContext(this.#report, views, new TemplateFields(views, linksOf(joins)), isCaseSensitive);
    const dimensions = new Map([...views.values()].map((view) => [view.name, convertDimensions(view, context)]));
    for (const [name, list] of dimensions) context.dimensions.set(name, new Set(list.map((each) => each.name)));
    const models = [...views.values()].map((view) =>
      this.#model(view, { tables, dimensions, joins, explores, context }),
    );
    this.#noteJoinedMeasures(explores, views);
    for (const [key, count] of context.notNeeded) first.notNeeded.set(key, (first.notNeeded.get(key) ?? 0) + count);
    return { models, views, notNeeded: first.notNeeded };
  }

  #tables(context: LookmlContext): ReadonlyMap<string, ModelRows> {
    return new Map(
      this.#project.views.flatMap((block) => {
        const rows = context.attempt(block, "view", () => this.#rows(block));
        for (const input of block.blocks("filter", "parameter"))
          this.#report.add(
            "refused",
            input.subject,
            "Users enter its value for each query. Filter the query.",
            input.position,
          );
        return rows === undefined ? [] : [[block.name, rows] as const];
      }),
    );
  }

  #rows(block: LookmlBlock): ModelRows {
    if (!/^[\p{L}_][\p{L}\p{N}_]*$/u.test(block.name))
      refuseImport(`"${block.name}" is not a valid name. Use letters, digits and underscores.`);
    if (block.parameter("derived_table")) return this.#derivedTable(block);
    const { table, note } = readTableName(block.text("sql_table_name") ?? block.name, this.#options.schema);
    if (note !== undefined) this.#report.add("changed", block.subject, note, block.at("sql_table_name"));
    return { table };
  }

  #derivedTable(block: LookmlBlock): ModelRows {
    const sql = readStatement(block.blocks("derived_table")[0]?.text("sql") ?? "");
    if (sql === undefined)
      return refuseImport("A derived table without SQL is a query of an explore. Write its SQL, or create a view.");
    this.#report.add("changed", block.subject, statementNote, block.at("derived_table"));
    return { sql };
  }

  #model(
    view: LookmlView,
    parts: {
      readonly tables: ReadonlyMap<string, ModelRows>;
      readonly dimensions: ReadonlyMap<string, readonly ModelDimension[]>;
      readonly joins: ReadonlyMap<string, readonly LookmlJoin[]>;
      readonly explores: readonly LookmlExplore[];
      readonly context: LookmlContext;
    },
  ): SemanticModel {
    const { context } = parts;
    const dimensions = parts.dimensions.get(view.name) ?? [];
    const key = primaryKey(view, context);
    const joins = parts.joins.get(view.name)?.map(({ join }) => join) ?? [];
    const rows = baseRows(view, parts.explores, parts.dimensions, context);
    const { measures, metrics } =
      rows.refusal === undefined
        ? convertMeasures(view, rows.filters, context)
        : this.#refuseMeasures(view, rows.refusal);
    return {
      name: view.name,
      ...parts.tables.get(view.name),
      ...(key && { primary_key: key }),
      ...(joins.length > 0 && { joins }),
      dimensions: [...dimensions],
      measures: [...measures],
      ...(metrics.length > 0 && { metrics: [...metrics] }),
      ...blockWords(view.block),
    };
  }

  #refuseMeasures(view: LookmlView, reason: string) {
    for (const { subject, position } of view.measures) this.#report.add("refused", subject, reason, position);
    return { measures: [], metrics: [] };
  }

  /** Adds findings for measures of joined views: Looker counts only rows that are reached from the explore's base. */
  #noteJoinedMeasures(explores: readonly LookmlExplore[], views: ReadonlyMap<string, LookmlView>): void {
    const bases = new Set(explores.map(({ base }) => base));
    for (const view of views.values()) {
      const joined = explores.find((each) => [...each.views.values()].includes(view));
      if (!joined || bases.has(view) || view.measures.length === 0) continue;
      const block = joined.block.blocks("join").find(({ name }) => joined.views.get(name) === view);
      const why = `Measures of ${view.name} are over all of its rows. In the explore ${joined.block.name}, Looker has only the rows that ${joined.base.name} reaches.`;
      this.#report.add("changed", `measures of view ${view.name}`, why, (block ?? joined.block).position);
    }
  }
}

function placeIn(view: LookmlView | undefined, name: string): SourcePosition {
  const block = view?.block;
  const fields = block?.blocks("measure", "dimension", "dimension_group") ?? [];
  const found = fields.find((each) => each.name === name) ?? fields.find((each) => name.startsWith(`${each.name}_`));
  return (found ?? block)?.position ?? { file: "" };
}
