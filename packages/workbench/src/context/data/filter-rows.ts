import type { ApiJoins, ApiMetrics, ApiPages, ApiTables } from "@bridle/client";

type Table = ApiTables["tables"][number];
type Join = ApiJoins["joins"][number];
type Model = ApiMetrics["models"][number];
type Page = ApiPages["pages"][number];

export interface FoundTable {
  readonly table: Table;
  /** The columns that match. Empty if the table's name matches all words. */
  readonly columns: readonly string[];
}

function wordsOf(query: string): readonly string[] {
  return query.toLowerCase().split(/\s+/).filter(Boolean);
}

function hasAll(words: readonly string[], text: string): boolean {
  const lower = text.toLowerCase();
  return words.every((word) => lower.includes(word));
}

/** Finds the tables whose name and description contain all words, if necessary together with the names of columns. */
export function filterTables(tables: readonly Table[], query: string): readonly FoundTable[] {
  const words = wordsOf(query);
  return tables.flatMap((table) => {
    const own = `${table.id} ${table.description ?? ""}`.toLowerCase();
    const missing = words.filter((word) => !own.includes(word));
    if (missing.length === 0) return [{ table, columns: [] }];
    const names = table.columns.map(({ name }) => name);
    const columns = names.filter((name) => missing.some((word) => name.toLowerCase().includes(word)));
    return hasAll(missing, columns.join("\n")) ? [{ table, columns }] : [];
  });
}

/** Finds the joins whose ends contain all words. */
export function filterJoins(joins: readonly Join[], query: string, onlyReview: boolean): readonly Join[] {
  const words = wordsOf(query);
  return joins.filter(({ id, from, to, status }) => {
    if (onlyReview && status !== "review") return false;
    return hasAll(words, [id, from.table, ...from.columns, to.table, ...to.columns].join(" "));
  });
}

/** Finds the models with all words in their name, or in the names of their measures and dimensions. */
export function filterModels(models: readonly Model[], query: string): readonly Model[] {
  const words = wordsOf(query);
  return models.filter(({ name, description = "", measures, dimensions }) =>
    hasAll(words, [name, description, ...[...measures, ...dimensions].map((each) => each.name)].join(" ")),
  );
}

/** Finds the pages with all words in their name, title, summary or tags. */
export function filterPages(pages: readonly Page[], query: string): readonly Page[] {
  const words = wordsOf(query);
  return pages.filter(({ page, title, summary = "", tags }) =>
    hasAll(words, [page, title, summary, ...tags].join(" ")),
  );
}
