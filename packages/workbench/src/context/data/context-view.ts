import { paths, withSearch } from "../../addresses/paths.ts";

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

/** The second key of the shortcut, after `v`. */
export const viewKeys: Readonly<Record<ContextView, string>> = {
  tables: "t",
  joins: "j",
  metrics: "m",
  pages: "p",
  contested: "c",
  search: "s",
};

/** Returns the view in the URL. */
export function toContextView(text: string | undefined): ContextView {
  return contextViews.find((view) => view === text) ?? "tables";
}

/** Returns the URL of a view of the data context. Empty values are omitted. */
export function contextAddress(place: Readonly<Record<string, string | undefined>> & { view: ContextView }): string {
  return withSearch(paths.context, place);
}
