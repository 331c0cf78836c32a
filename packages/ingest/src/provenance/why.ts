/** Explains a fact: resolves a key to claims, their quotes, the versions that contain the quotes, and earlier claims. */
import { parseColumnId, parseTableId } from "@bridle/context";
import { nearest } from "@bridle/protocol";
import type { Claim, ClaimSource, ClaimStatus } from "../claims/claim.ts";
import { type Decisions, decisionsFile } from "../claims/decisions/decision-schema.ts";
import { normalForm } from "../claims/wording/read-wording.ts";
import { decisionsSource } from "../curation/resolution/pins.ts";
import type { FormerClaim, StoredClaim } from "../store/claim-table.ts";
import type { IngestStore } from "../store/ingest-store.ts";
import { describeBody } from "./describe-body.ts";

export const whyKinds = ["page", "claim", "table", "column", "join", "model", "entry", "subject"] as const;

/** A passage in a document that supports a claim. */
export interface CitedSpan extends Omit<ClaimSource, "wording" | "origin"> {
  /**
   * `stored`: the stored version contains the quote. `missing`: the version does not contain the quote, or its text is no longer stored.
   * `decided`: the claim comes from a user's decision in a file of the project.
   */
  readonly state: "stored" | "missing" | "decided";
}

/** A claim with its sources and history. */
export interface ExplainedClaim {
  readonly id: string;
  /** The text of the claim in one line. */
  readonly text: string;
  readonly status: ClaimStatus | "former";
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  /** When ingest first found the claim, and when it ended, in ISO 8601. */
  readonly addedAt?: string | undefined;
  readonly endedAt?: string | undefined;
  readonly page?: string | undefined;
  /** The sources, the strongest first. */
  readonly sources: readonly CitedSpan[];
  /** The claims that contradict this one. */
  readonly conflicts: readonly { readonly id: string; readonly text: string; readonly status: string }[];
  readonly conflictReason?: string | undefined;
  /** Earlier claims that this one replaced. */
  readonly replaced: readonly { readonly id: string; readonly text: string; readonly endedAt: string }[];
  /** A user's decision about the claim. */
  readonly decision?: string | undefined;
}

export interface WhyAnswer {
  readonly key: string;
  /** The kind of key; undefined if nothing is known about it. */
  readonly kind: (typeof whyKinds)[number] | undefined;
  readonly claims: readonly ExplainedClaim[];
  /** Similar keys, if the key is unknown. */
  readonly nearest: readonly string[];
}

/** The data from which explanations are made. */
export interface Provenance {
  claims(): readonly Claim[];
  stored(id: string): StoredClaim | undefined;
  former(id: string): readonly FormerClaim[];
  /** Returns the text of a version; undefined if it is no longer stored. */
  textOf(version: string): string | undefined;
  readonly decisions: Decisions;
}

/** Combines the stored claims and texts of a project with its users' decisions. */
export function provenanceOf(
  { claims, texts }: Pick<IngestStore, "claims" | "texts">,
  decisions: Decisions,
): Provenance {
  return {
    claims: () => claims.list(),
    stored: (id) => claims.read(id),
    former: (id) => claims.former(id),
    textOf: (version) => texts.read(version),
    decisions,
  };
}

/**
 * Explains a page, a claim by its id or wording, a table, a column, a join (`a.b.c.x → d.e.f.y`), a model, a model's entry
 * (`trips.revenue`), or the subject of statements (`gross fare`).
 *
 * @example explainKey("trips.gross_fare", provenance).claims[0]?.sources[0]?.quote
 */
export function explainKey(key: string, provenance: Provenance): WhyAnswer {
  return new Explanation(provenance).of(key.trim());
}

class Explanation {
  readonly #provenance: Provenance;
  readonly #claims: readonly Claim[];
  readonly #byId: ReadonlyMap<string, Claim>;

  constructor(provenance: Provenance) {
    this.#provenance = provenance;
    this.#claims = provenance.claims();
    this.#byId = new Map(this.#claims.map((claim) => [claim.id, claim]));
  }

  of(key: string): WhyAnswer {
    for (const kind of whyKinds) {
      const found = this.#claims.filter((claim) => isAbout(kind, key, claim));
      if (found.length > 0) return { key, kind, claims: found.map((claim) => this.#explain(claim)), nearest: [] };
    }
    const former = this.#provenance.former(key).filter(({ claim }) => claim.id === key);
    if (former.length > 0)
      return { key, kind: "claim", claims: former.map((each) => this.#explainFormer(each)), nearest: [] };
    const keys = this.#claims.flatMap((claim) => keysOf(claim));
    return { key, kind: undefined, claims: [], nearest: nearest(key, keys) };
  }

  #explain(claim: Claim): ExplainedClaim {
    const { id, status, since, until, page, sources, conflicts, conflictReason } = claim;
    const stored = this.#provenance.stored(id);
    const replaced = this.#provenance.former(id).filter(({ replacedBy }) => replacedBy === id);
    return {
      id,
      text: describeBody(claim),
      status,
      since,
      until,
      page,
      conflictReason,
      addedAt: stored?.addedAt,
      sources: sources.map((source) => this.#cite(source)),
      conflicts: conflicts.flatMap((other) => {
        const rival = this.#byId.get(other);
        return rival === undefined ? [] : [{ id: other, text: describeBody(rival), status: rival.status }];
      }),
      replaced: replaced.map((each) => ({ id: each.claim.id, text: describeBody(each.claim), endedAt: each.endedAt })),
      decision: this.#decisionAbout(claim),
    };
  }

  #explainFormer({ claim, addedAt, endedAt, replacedBy }: FormerClaim): ExplainedClaim {
    const next = replacedBy === undefined ? undefined : this.#byId.get(replacedBy);
    return {
      id: claim.id,
      text: describeBody(claim),
      status: "former",
      addedAt,
      endedAt,
      sources: claim.sources.map((source) => this.#cite(source)),
      conflicts: next === undefined ? [] : [{ id: next.id, text: describeBody(next), status: next.status }],
      replaced: [],
    };
  }

  /** Searches the stored text for the quote instead of trusting the claim. */
  #cite({ wording: _, origin: __, ...source }: ClaimSource): CitedSpan {
    if (source.source === decisionsSource) return { ...source, state: "decided" };
    const text = this.#provenance.textOf(source.version);
    const found = text?.slice(source.start, source.end);
    return { ...source, state: found !== undefined && isSame(found, source.quote) ? "stored" : "missing" };
  }

  #decisionAbout(claim: Claim): string | undefined {
    const forms = new Set(formsOf(claim));
    const { pins = [], both = [], removed = [] } = this.#provenance.decisions;
    const is = (statement: string | undefined) => statement !== undefined && forms.has(normalForm(statement));
    const who = ({ by, at, reason }: { by?: string; at?: string; reason?: string }) =>
      `${by ?? "A person"}${at === undefined ? "" : ` on ${at}`}${reason === undefined ? "" : `: ${reason}`}`;
    const pin = pins.find(({ statement }) => is(statement));
    if (pin !== undefined) return `Chosen in ${decisionsFile}. ${who(pin)}`;
    const lost = pins.find(({ over = [] }) => over.some(is));
    if (lost !== undefined) return `Not chosen in ${decisionsFile}. ${who(lost)}`;
    const all = both.find(({ statements }) => statements.some(is));
    if (all !== undefined) return `Marked as true together with others in ${decisionsFile}. ${who(all)}`;
    const gone = removed.find(({ statement }) => is(statement));
    return gone === undefined ? undefined : `Removed in ${decisionsFile}. ${who(gone)}`;
  }
}

function isSame(a: string, b: string): boolean {
  const plain = (text: string) => text.replaceAll(/\s+/g, " ").trim();
  return plain(a) === plain(b);
}

function isAbout(kind: (typeof whyKinds)[number], key: string, claim: Claim): boolean {
  const { id, body, page } = claim;
  switch (kind) {
    case "page":
      return page === key.replace(/^(?:context\/wiki\/)?(.*?)(?:\.md)?$/, "$1");
    case "claim":
      return id === key || formsOf(claim).includes(normalForm(key.replaceAll(/(?: ?\[\d+\])+$/g, "")));
    case "table":
      return parseTableId(key) !== undefined && tablesOf(body).includes(key);
    case "column":
      return parseColumnId(key) !== undefined && columnsOf(body).includes(key);
    case "join":
      return (
        body.kind === "join" &&
        [
          `${body.from.join(", ")} → ${body.to.join(", ")}`,
          `${body.from.join(", ")} -> ${body.to.join(", ")}`,
        ].includes(key)
      );
    case "model":
      return body.kind === "model-part" && body.model === key;
    case "entry":
      return body.kind === "model-part" && entryKeys(body).includes(key);
    case "subject":
      return body.kind === "statement" && normalForm(body.subject) === normalForm(key);
  }
}

function tablesOf(body: Claim["body"]): readonly string[] {
  if (body.kind === "statement") return body.tables;
  if (body.kind === "description") return [body.subject];
  return body.kind === "model-part" && body.part === "model" && body.table !== undefined ? [body.table] : [];
}

function columnsOf(body: Claim["body"]): readonly string[] {
  if (body.kind === "description") return [body.subject];
  return body.kind === "join" ? [...body.from, ...body.to] : [];
}

/** Returns the keys of an entry: `trips.revenue`, and `trips.measures.revenue` as used in the list of changes. */
function entryKeys({ model, part, name }: Extract<Claim["body"], { kind: "model-part" }>): readonly string[] {
  const list = part === "model" ? "" : part === "metric" ? "metrics." : `${part}s.`;
  return [`${model}.${name}`, `${model}.${list}${name}`];
}

function keysOf({ id, body, page }: Claim): readonly string[] {
  const subjects = body.kind === "statement" ? [normalForm(body.subject)] : [];
  const names = [...subjects, ...tablesOf(body), ...columnsOf(body)];
  const own = body.kind === "model-part" ? [body.model, ...entryKeys(body)] : names;
  return [id, ...(page === undefined ? [] : [page]), ...own];
}

function formsOf({ body, sources }: Claim): readonly string[] {
  if (body.kind !== "statement") return [];
  return [normalForm(body.statement), ...sources.map(({ wording }) => normalForm(wording))];
}
