/** Turns explores, dashboards and looks into items. */
import { isPlainObject } from "@bridle/protocol";
import { readDate } from "../files/front-matter.ts";
import { toTitle } from "../files/title.ts";
import type { SourceItem } from "../source.ts";
import { exploreToLookml, fieldsWithoutSql } from "./explore-lookml.ts";
import type { LookerDashboard, LookerExplore, LookerListed, LookerLook, LookerQuery } from "./looker-schema.ts";

export function exploreId(model: string, explore: string): string {
  return `explore/${model}::${explore}`;
}

/** Creates the item of an explore. A parser reads the item, except for the descriptions of fields with hidden SQL, which a model reads. */
export function exploreItem(model: string, explore: LookerExplore, location: string | undefined): SourceItem {
  const hidden = fieldsWithoutSql(explore);
  const notes = hidden.map(({ name, description }) => `# ${name}: ${description?.replaceAll(/\s+/g, " ").trim()}`);
  const text = `${[exploreToLookml(explore), ...(notes.length > 0 ? [notes.join("\n")] : [])].join("\n\n")}\n`;
  const title = toTitle(explore.label || explore.name);
  return {
    id: exploreId(model, explore.name),
    title,
    text,
    kind: "explore",
    authority: "certified",
    location,
    isStructured: hidden.length === 0,
  };
}

export function dashboardItem(dashboard: LookerDashboard, location: string | undefined): SourceItem {
  const tiles = dashboard.dashboard_elements.map((element) => {
    const { title, title_text, subtitle_text, body_text, note_text, query, look, result_maker } = element;
    const heading = title ?? title_text ?? look?.title ?? "";
    return paragraphs([
      heading === "" ? "" : `## ${toTitle(heading)}`,
      ...[subtitle_text, body_text, note_text].map((each) => plain(each)),
      queryToText(query ?? look?.query ?? result_maker?.query),
    ]);
  });
  const filters = (dashboard.dashboard_filters ?? []).flatMap(({ title, dimension, default_value }) =>
    title ? [`- ${title}${dimension ? ` (${dimension})` : ""}${default_value ? `: ${default_value}` : ""}`] : [],
  );
  const about = filters.length > 0 ? `Filters:\n\n${filters.join("\n")}` : "";
  const text = paragraphs([`# ${titleOf(dashboard)}`, plain(dashboard.description), about, ...tiles]);
  return content("dashboard", dashboard, `${text}\n`, location);
}

export function lookItem(look: LookerLook, location: string | undefined): SourceItem {
  const text = paragraphs([`# ${titleOf(look)}`, plain(look.description), queryToText(look.query)]);
  return content("look", look, `${text}\n`, location);
}

function content(
  kind: "dashboard" | "look",
  listed: LookerListed,
  text: string,
  location: string | undefined,
): SourceItem {
  const updatedAt = readDate(listed.updated_at);
  const common = {
    id: `${kind}/${listed.id}`,
    title: titleOf(listed),
    text,
    kind,
    authority: "document",
    location,
  } as const;
  return updatedAt === undefined ? common : { ...common, updatedAt };
}

export function titleOf({ title, id }: LookerListed): string {
  return toTitle(title ?? "") || id;
}

/** Describes the query of a tile: its explore, fields, filters and calculations. */
function queryToText(query: LookerQuery): string {
  if (!query?.view) return "";
  const filters = Object.entries(query.filters ?? {}).flatMap(([field, value]) =>
    typeof value === "string" && value !== "" ? [`- ${field}: ${value}`] : [],
  );
  return paragraphs([
    `Explore: ${query.model ? `${query.model}::` : ""}${query.view}\nFields: ${(query.fields ?? []).join(", ")}`,
    filters.length > 0 ? `Filters:\n\n${filters.join("\n")}` : "",
    query.filter_expression ? `Filter expression: ${query.filter_expression}` : "",
    ...calculations(query.dynamic_fields),
  ]);
}

/** Reads the fields that a user added to one query, which are JSON in a string. */
function calculations(text: string | null | undefined): readonly string[] {
  try {
    const list: unknown = JSON.parse(text ?? "[]");
    if (!Array.isArray(list)) return [];
    return list.flatMap((each: unknown) => {
      if (!isPlainObject(each)) return [];
      const { label, expression, based_on, type } = each;
      const formula =
        typeof expression === "string" && expression !== ""
          ? expression
          : typeof based_on === "string"
            ? `${String(type)} of ${based_on}`
            : "";
      return typeof label === "string" && formula !== "" ? [`${label} = ${formula}`] : [];
    });
  } catch {
    return [];
  }
}

/** Converts the text of a tile, which may be HTML, to plain text. */
function plain(text: string | null | undefined): string {
  return (text ?? "")
    .replaceAll(/<[^<>]{0,500}>/g, " ")
    .replaceAll(/[ \t]+/g, " ")
    .trim();
}

function paragraphs(parts: readonly string[]): string {
  return parts.filter((part) => part.trim() !== "").join("\n\n");
}
