/** Compares the strength of claims: person, certified, document, inferred. Of two documents or persons, the later is stronger. Pure. */
import type { ClaimSource } from "../../claims/claim.ts";
import { type Authority, authorities } from "../../sources/source.ts";

export interface Strength {
  readonly authority: Authority;
  /** The date of the latest source, in ISO 8601. Undefined if unknown. */
  readonly date?: string | undefined;
}

/** Later statements of users and documents win. A tool's definition, or people's behaviour, is not more reliable because it is later. */
const laterWins: ReadonlySet<Authority> = new Set(["person", "document"]);

/** Whether the first claim wins against the second. */
export function isStronger(a: Strength, b: Strength): boolean {
  const rank = rankOf(b) - rankOf(a);
  if (rank !== 0) return rank > 0;
  return laterWins.has(a.authority) && compareDates(a.date, b.date) > 0;
}

/** Returns the strength of a claim, from its sources. */
export function strengthOf(sources: readonly ClaimSource[]): Strength {
  const [first] = sources.toSorted(byStrength);
  return { authority: first?.authority ?? "inferred", date: first?.updatedAt };
}

/** Compares sources to sort the strongest first, and equally strong sources by name. */
export function byStrength(a: ClaimSource, b: ClaimSource): number {
  const rank = rankOf(a) - rankOf(b);
  if (rank !== 0) return rank;
  const [ours, theirs] = [a.updatedAt ?? "", b.updatedAt ?? ""];
  if (ours === "" || theirs === "") return ours === theirs ? byPlace(a, b) : ours === "" ? 1 : -1;
  return compareDates(theirs, ours) || byPlace(a, b);
}

function byPlace(a: ClaimSource, b: ClaimSource): number {
  const [ours, theirs] = [placeOf(a), placeOf(b)];
  return ours < theirs ? -1 : ours > theirs ? 1 : a.start - b.start;
}

function placeOf({ source, item, version }: ClaimSource): string {
  return JSON.stringify([source, item, version]);
}

function rankOf({ authority }: { readonly authority: Authority }): number {
  return authorities.indexOf(authority);
}

/**
 * Compares dates: positive if the first is later, and zero if they are equal or one is unknown. A date without a time is compared by day.
 */
function compareDates(a: string | undefined, b: string | undefined): number {
  if (a === undefined || b === undefined) return 0;
  const [ours, theirs] = [Date.parse(a), Date.parse(b)];
  if (Number.isNaN(ours) || Number.isNaN(theirs)) return 0;
  const isDay = a.length <= 10 || b.length <= 10;
  return isDay ? dayOf(ours) - dayOf(theirs) : ours - theirs;
}

function dayOf(time: number): number {
  return Math.floor(time / 86_400_000);
}
