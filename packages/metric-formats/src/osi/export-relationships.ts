import type { ModelJoin, SemanticModel } from "@bridle/semantic/model-parts";
import { type ExportReport, refuseExport } from "../export-report.ts";

/** Exports joins as relationships from the "many" side to the "one" side. Also exports the keys that these joins declare. */
export function osiRelationships(models: readonly SemanticModel[], report: ExportReport) {
  const names = models.flatMap(({ joins = [] }) => joins.map(({ name, to }) => name ?? to));
  const keys = new Map<string, string[][]>();
  const addKey = (owner: string, columns: string[]) => {
    const others = [models.find(({ name }) => name === owner)?.primary_key ?? [], ...(keys.get(owner) ?? [])];
    if (!others.some((key) => isSameSet(key, columns))) keys.set(owner, [...(keys.get(owner) ?? []), columns]);
  };
  const relationships = models.flatMap((model) =>
    report.each(model.name, "join", (model.joins ?? []).map(withName), (join) => {
      const { name: own, to, on, relationship } = join;
      if (typeof on === "string")
        return refuseExport("Its condition is an expression, and relationships have columns.");
      const isUsed = names.filter((each) => each === own).length > 1;
      const name = isUsed ? `${model.name}_${own}` : own;
      if (isUsed) report.change(model.name, `join ${own}`, `It is called ${name}, as names are unique there.`);
      if (join.description !== undefined || join.label !== undefined)
        report.change(model.name, `join ${own}`, "Its description and label are left out.");
      const [here, there] = [on.map(([local]) => local), on.map(([, remote]) => remote)];
      const words = join.synonyms?.length ? { ai_context: { synonyms: join.synonyms } } : {};
      if (relationship === "one_to_many") {
        report.change(model.name, `join ${own}`, `It is declared from ${to}, which is the many side.`);
        addKey(model.name, here);
        return { name, from: to, to: model.name, from_columns: there, to_columns: here, ...words };
      }
      addKey(to, there);
      if (relationship === "one_to_one") addKey(model.name, here);
      return { name, from: model.name, to, from_columns: here, to_columns: there, ...words };
    }),
  );
  return { relationships, keys };
}

function withName(join: ModelJoin): ModelJoin & { readonly name: string } {
  return { ...join, name: join.name ?? join.to };
}

function isSameSet(a: readonly string[], b: readonly string[]): boolean {
  return JSON.stringify(a.toSorted()) === JSON.stringify(b.toSorted());
}
