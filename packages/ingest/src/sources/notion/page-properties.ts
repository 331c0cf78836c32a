/** Writes the properties of a page as lines of text, and those of a data source as descriptions of its columns. */
import { isPlainObject } from "@bridle/protocol";
import type { NotionDataSource, NotionPage } from "./notion-schema.ts";
import { plainRichText, readRichText } from "./rich-text.ts";

/**
 * Properties that are not read. Authors and times change with each edit and carry no information about the subject. Names of people and
 * files are left out.
 */
const unread = new Set(
  "title created_time created_by last_edited_time last_edited_by people files button relation unique_id verification".split(
    " ",
  ),
);

export function titleOfPage({ properties }: NotionPage): string {
  const title = Object.values(properties).find(({ type }) => type === "title");
  return plainRichText(title?.title).replaceAll(/\s+/g, " ").trim();
}

/** Writes the properties, sorted by name, so that the text does not depend on the order in the response. */
export function propertiesToText({ properties }: NotionPage): string {
  const lines = Object.entries(properties).flatMap(([name, property]) => {
    const value = unread.has(property.type) ? "" : valueToText(property[property.type]);
    return value === "" ? [] : [`${name}: ${value}`];
  });
  return lines.toSorted().join("\n");
}

function valueToText(value: unknown, level = 0): string {
  if (level > 3 || value === null || value === undefined) return "";
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return String(value);
  if (Array.isArray(value))
    return (
      readRichText(value) ||
      value
        .map((each) => valueToText(each, level + 1))
        .filter(Boolean)
        .join(", ")
    );
  if (!isPlainObject(value)) return "";
  if (typeof value.name === "string") return value.name;
  if (typeof value.start === "string")
    return typeof value.end === "string" ? `${value.start} to ${value.end}` : value.start;
  return typeof value.type === "string" ? valueToText(value[value.type], level + 1) : "";
}

export function dataSourceToText({ description, properties }: NotionDataSource): string {
  const columns = Object.entries(properties).map(([name, { type, description: words, ...rest }]) => {
    const options = optionsOf(rest[type]);
    const listed = options.length > 0 ? `: ${options.join(", ")}` : "";
    return `- ${name} (${type})${listed}${words ? `. ${words}` : ""}`;
  });
  return [readRichText(description), `## Columns\n\n${columns.toSorted().join("\n")}`].filter(Boolean).join("\n\n");
}

function optionsOf(content: unknown): readonly string[] {
  const options = isPlainObject(content) ? content.options : undefined;
  return Array.isArray(options)
    ? options.flatMap((each: unknown) => (isPlainObject(each) && typeof each.name === "string" ? [each.name] : []))
    : [];
}
