/** Renders descriptions and joins as entries of table files. Pure. */
import { formatTableId, type JoinEnds, parseColumnId, parseTableId } from "@bridle/context";
import type { Claim, ClaimSource } from "../../claims/claim.ts";
import { byStrength } from "../../curation/resolution/strength.ts";
import type { CandidateBody } from "../../sources/candidate.ts";
import type { Authority } from "../../sources/source.ts";
import { toLine } from "../markdown-text.ts";

/** The author of an entry in a table file. */
type NoteAuthor = "person" | "document" | "model";

const authorOf: Readonly<Record<Authority, NoteAuthor>> = {
  person: "person",
  certified: "document",
  document: "document",
  inferred: "model",
};

/** A schema, which has its own table file. */
interface SchemaPath {
  readonly connection: string;
  readonly schema: string;
}

export interface RenderedDescription {
  readonly kind: "description";
  readonly subject: string;
  readonly schema: SchemaPath;
  readonly author: NoteAuthor;
  readonly value: { readonly text: string; readonly source: NoteAuthor; readonly from: string };
}

export interface RenderedJoin {
  readonly kind: "join";
  readonly subject: string;
  readonly schema: SchemaPath;
  readonly author: NoteAuthor;
  readonly ends: JoinEnds;
  readonly value: {
    readonly status: "accepted" | "proposed";
    readonly condition?: string;
    readonly reason: string;
    readonly source: NoteAuthor;
  };
}

const maxChars = 600;

/** Renders the entries about tables, columns and joins, sorted by subject. Leaves out contested claims. */
export function renderTables(claims: readonly Claim[]): readonly (RenderedDescription | RenderedJoin)[] {
  const current = claims.filter(({ status }) => status === "current");
  const described = Map.groupBy(
    current.filter(({ body }) => body.kind === "description"),
    ({ body }) => (body.kind === "description" ? body.subject : ""),
  );
  const descriptions = [...described].flatMap(([subject, own]) => renderDescription(subject, own) ?? []);
  const joins = current.flatMap((claim) =>
    claim.body.kind === "join" ? (renderJoin(claim.body, claim.sources) ?? []) : [],
  );
  return [...descriptions, ...joins].sort((a, b) => (a.subject < b.subject ? -1 : a.subject > b.subject ? 1 : 0));
}

/** Renders a description. Joins different texts about one subject, the strongest first, as many as fit. */
function renderDescription(subject: string, claims: readonly Claim[]): RenderedDescription | undefined {
  const schema = parseColumnId(subject) ?? parseTableId(subject);
  const sorted = claims.toSorted(compareClaims);
  const [first] = sorted.flatMap(({ sources }) => sources);
  if (schema === undefined || first === undefined) return undefined;
  let text = "";
  for (const { body } of sorted) {
    const more = body.kind === "description" ? withStop(toLine(body.text)) : "";
    if (text === "") text = more.slice(0, maxChars).toWellFormed();
    else if (text.length + more.length < maxChars) text = `${text} ${more}`;
  }
  const author = authorOf[first.authority];
  return { kind: "description", subject, schema, author, value: { text, source: author, from: placeOf(first) } };
}

function compareClaims(a: Claim, b: Claim): number {
  const [ours, theirs] = [a.sources[0], b.sources[0]];
  const order = ours === undefined || theirs === undefined ? 0 : byStrength(ours, theirs);
  return order || (a.id < b.id ? -1 : 1);
}

function withStop(text: string): string {
  return /[.!?。]$/.test(text) || text === "" ? text : `${text}.`;
}

function renderJoin(
  { from, to, condition }: Extract<CandidateBody, { kind: "join" }>,
  sources: readonly ClaimSource[],
): RenderedJoin | undefined {
  const [left, right, [first]] = [toEnd(from), toEnd(to), sources];
  const schema = parseTableId(left?.table ?? "");
  if (left === undefined || right === undefined || first === undefined || schema === undefined) return undefined;
  const author = authorOf[first.authority];
  const status = author === "model" ? "proposed" : "accepted";
  const value = {
    status,
    ...(condition !== undefined && { condition: toLine(condition) }),
    reason: `Says ${placeOf(first)}.`,
    source: author,
  } as const;
  return {
    kind: "join",
    subject: `${from.join(", ")} → ${to.join(", ")}`,
    schema,
    author,
    ends: { from: left, to: right },
    value,
  };
}

/** Returns one end of a join; undefined if the columns are not all in one table. */
export function toEnd(columns: readonly string[]): JoinEnds["from"] | undefined {
  const paths = columns.flatMap((column) => parseColumnId(column) ?? []);
  const [table, ...others] = new Set(paths.map(formatTableId));
  if (table === undefined || others.length > 0 || paths.length !== columns.length) return undefined;
  return { table, columns: paths.map(({ column }) => column) };
}

/** Returns the location of a document for readers. */
function placeOf({ source, item, title, location }: ClaimSource): string {
  const place = location ?? (/[/.]/.test(item) ? `${source}/${item}` : `${source}: ${title}`);
  return toLine(place).slice(0, 300).toWellFormed();
}
