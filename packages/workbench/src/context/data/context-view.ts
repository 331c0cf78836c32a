import { paths, withSearch } from "../../app/paths.ts";

/** The lists of the data context, in display order. */
export const contextViews = ["tables", "joins", "metrics", "pages", "contested", "search"] as const;
export type ContextView = (typeof contextViews)[number];

export const viewTitles: Readonly<Record<ContextView, string>> = {
  tables: "Tables",
  joins: "Joins",
  metrics: "Metrics",
  pages: "Pages",
  contested: "Contested",
  search: "Search",
};

/** After `v`. */
export const viewKeys: Readonly<Record<ContextView, string>> = {
  tables: "t",
  joins: "j",
  metrics: "m",
  pages: "p",
  contested: "c",
  search: "s",
};

/** The view that the address names. */
export function toContextView(text: string | undefined): ContextView {
  return contextViews.find((view) => view === text) ?? "tables";
}

/** An address of the data context. Empty values are left out. */
export function contextAddress(place: Readonly<Record<string, string | undefined>> & { view: ContextView }): string {
  return withSearch(paths.context, place);
}
