/** Turns a card into an item: its description, and its SQL with all references resolved. */
import { readDate } from "../files/front-matter.ts";
import { toTitle } from "../files/title.ts";
import type { SourceItem } from "../source.ts";
import type { MetabaseCard } from "./metabase-schema.ts";
import type { ResolvedSql } from "./resolve-sql.ts";

export interface CardPlace {
  /** The names of the collections, outermost first. */
  readonly collection: readonly string[];
  readonly isOfficial: boolean;
  /** The name and the id of the database. */
  readonly database: string | undefined;
  readonly location: string | undefined;
}

export function cardId(id: number): string {
  return `card/${id}`;
}

export function cardItem(card: MetabaseCard, resolved: ResolvedSql | undefined, place: CardPlace): SourceItem {
  const isVerified =
    card.moderation_reviews?.some(({ status, most_recent }) => most_recent && status === "verified") ?? false;
  const updatedAt = readDate(card.updated_at);
  return {
    id: cardId(card.id),
    title: toTitle(card.name),
    text: cardText(card, resolved, place),
    kind: "card",
    authority: isVerified || place.isOfficial ? "certified" : "inferred",
    location: place.location,
    links: (resolved?.cards ?? []).map(cardId),
    ...(updatedAt === undefined ? {} : { updatedAt }),
  };
}

function cardText(card: MetabaseCard, resolved: ResolvedSql | undefined, place: CardPlace): string {
  const kind = card.type ?? (card.dataset ? "model" : "question");
  const facts = [
    `Kind: ${kind}`,
    ...(place.collection.length > 0 ? [`Collection: ${place.collection.map(toTitle).join(" / ")}`] : []),
    ...(place.database === undefined ? [] : [`Database: ${place.database}`]),
  ];
  const columns = (card.result_metadata ?? []).flatMap(({ name, description }) =>
    description ? [`- ${name}: ${description.replaceAll(/\s+/g, " ").trim()}`] : [],
  );
  const optional = (resolved?.optional ?? []).map((clause) => `- ${clause.replaceAll(/\s+/g, " ")}`);
  return [
    `# ${toTitle(card.name)}`,
    card.description?.trim() ?? "",
    facts.join("\n"),
    resolved === undefined ? "" : fence(resolved.sql.trim()),
    optional.length === 0 ? "" : `Used if their parameters are filled in:\n\n${optional.join("\n")}`,
    columns.length === 0 ? "" : `Columns:\n\n${columns.join("\n")}`,
  ]
    .filter((part) => part !== "")
    .join("\n\n")
    .concat("\n");
}

/** Fences SQL. If it contains a fence, uses a longer one. */
function fence(sql: string): string {
  const longest = Math.max(2, ...[...sql.matchAll(/`+/g)].map(([marks]) => marks.length));
  const marks = "`".repeat(longest + 1);
  return `${marks}sql\n${sql}\n${marks}`;
}

/** Returns the SQL of an item, and the position of the SQL. */
export function sqlInCard(text: string): { readonly sql: string; readonly start: number } | undefined {
  const found = /^(`{3,})sql\n/m.exec(text);
  if (found === null) return undefined;
  const start = found.index + found[0].length;
  const end = text.indexOf(`\n${found[1]}\n`, start);
  return { sql: text.slice(start, end === -1 ? undefined : end), start };
}

/** Reads the database, such as `Shop (1)`, from its line. */
export function databaseOfCard(text: string): { readonly name: string; readonly id: string } | undefined {
  const [, name, id] = /^Database: (.{1,200}?) \((\d+)\)$/m.exec(text) ?? [];
  return name === undefined || id === undefined ? undefined : { name, id };
}
