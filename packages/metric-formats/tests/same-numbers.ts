import { compileMetricQuery, ModelSet, type SemanticModel } from "@bridle/semantic";
import { expect } from "vitest";
import { comparableRow, sortedRows } from "../../semantic/tests/comparable-rows.ts";
import { startLocalEngines, type TestEngine } from "../../semantic/tests/engines.ts";
import { shopModelSet } from "../../semantic/tests/shop-models.ts";
import { shopTables } from "../../semantic/tests/shop-tables.ts";
import type { ExportFinding } from "../src/export-report.ts";

/** Compares the results of the shop's models with those of a copy that was converted to another format and back. */
export class SameNumbers {
  readonly #set = shopModelSet();
  #engines: readonly TestEngine[] = [];

  get models(): readonly SemanticModel[] {
    return [...this.#set.models.values()];
  }

  async start(): Promise<void> {
    this.#engines = (await startLocalEngines()).filter(({ id }) => id === "sqlite" || id === "duckdb");
    for (const engine of this.#engines) await engine.load(shopTables);
  }

  async close(): Promise<void> {
    for (const engine of this.#engines) await engine.close();
  }

  /** Checks that all measures and metrics that the export did not refuse are equal, and returns their number. */
  async compare(findings: readonly ExportFinding[], copied: readonly SemanticModel[]): Promise<number> {
    const copy = new ModelSet(copied, this.#set.facts);
    const isLost = (model: string, name: string) =>
      findings.some((each) => each.kind === "refused" && each.model === model && isAbout(each, name));
    const kept = this.models.flatMap(({ name: model, measures = [], metrics = [] }) =>
      [...measures, ...metrics].filter(({ name }) => !isLost(model, name)).map(({ name }) => ({ model, name })),
    );
    for (const engine of this.#engines) {
      for (const { model, name } of kept) {
        const grain = isOfDays(findings, model, name) ? "day" : "month";
        const rows = await run(this.#set, model, name, engine, grain);
        const called = renamed(findings, model, name) ?? name;
        expect(await run(copy, model, called, engine, grain), `${engine.id}: ${model}.${name}`).toEqual(rows);
      }
    }
    return kept.length;
  }
}

function isAbout({ field }: ExportFinding, name: string): boolean {
  return field === `measure ${name}` || field === `metric ${name}`;
}

function renamed(findings: readonly ExportFinding[], model: string, name: string): string | undefined {
  const reasons = findings.filter((each) => each.model === model && isAbout(each, name));
  return reasons.flatMap(({ reason }) => /^It is called (\w+),/.exec(reason)?.[1] ?? [])[0];
}

/** Whether the export reports that longer periods show another value. */
function isOfDays(findings: readonly ExportFinding[], model: string, name: string): boolean {
  return findings.some(
    (each) => each.model === model && isAbout(each, name) && each.reason.startsWith("By periods longer than a day"),
  );
}

/** Groups by the default time if the metric needs one. Returns the rows, or the reason for a refusal. */
async function run(set: ModelSet, model: string, name: string, engine: TestEngine, grain: "day" | "month") {
  const owner = ownerOf(set, model, name);
  const time = set.models.get(owner)?.default_time;
  const byMonth = time === undefined ? [] : [{ field: `${owner}.${time}`, grain }];
  const queries = [{ measures: [`${owner}.${name}`] }, { measures: [`${owner}.${name}`], dimensions: byMonth }];
  for (const query of queries) {
    const compiled = compileMetricQuery(set, query, engine.id);
    if (compiled.kind === "refused") continue;
    const types = compiled.columns.map(({ type }) => type);
    return sortedRows((await engine.run(compiled.sql)).map((row) => comparableRow(row, types)));
  }
  return "refused";
}

/** Returns the model of a metric. After an import, a metric over several models may belong to another model. */
function ownerOf({ models }: ModelSet, model: string, name: string): string {
  const has = (each: SemanticModel | undefined) =>
    [...(each?.measures ?? []), ...(each?.metrics ?? [])].some((entry) => entry.name === name);
  return has(models.get(model)) ? model : ([...models.values()].find(has)?.name ?? model);
}
