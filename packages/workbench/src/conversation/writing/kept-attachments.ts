import type { Attached } from "./attachments.ts";

/**
 * What is attached to the message that is written, for each session, so that a reload loses it only if the tab has no room for it. It
 * is kept for this tab, as the token is: files may say more than a person wants to leave on a disk.
 */
const prefix = "bridle.attached.";

export interface KeptAttachments {
  readonly attachments: readonly Attached[];
  /** The names of files that had no room. */
  readonly lost: readonly string[];
}

type Place = Pick<Storage, "getItem" | "setItem" | "removeItem">;

export function keepAttachments(
  session: string,
  attachments: readonly Attached[],
  place: Place = sessionStorage,
): void {
  const key = prefix + session;
  try {
    if (attachments.length === 0) place.removeItem(key);
    else place.setItem(key, JSON.stringify({ attachments, lost: [] }));
  } catch {
    keepNames(key, attachments, place);
  }
}

/** The storage of a tab has about 5 MB: what does not fit is named, so that the person knows what to attach again. */
function keepNames(key: string, attachments: readonly Attached[], place: Place): void {
  try {
    place.setItem(key, JSON.stringify({ attachments: [], lost: attachments.map(({ name }) => name) }));
  } catch {
    // the files are still on the page
  }
}

export function readAttachments(session: string, place: Place = sessionStorage): KeptAttachments {
  try {
    const kept: unknown = JSON.parse(place.getItem(prefix + session) ?? "null");
    if (isKept(kept)) return { attachments: kept.attachments.filter(isAttached), lost: kept.lost.map(String) };
  } catch {
    // as if nothing was kept
  }
  return { attachments: [], lost: [] };
}

function isKept(
  value: unknown,
): value is { readonly attachments: readonly unknown[]; readonly lost: readonly unknown[] } {
  if (typeof value !== "object" || value === null || !("attachments" in value) || !("lost" in value)) return false;
  return Array.isArray(value.attachments) && Array.isArray(value.lost);
}

function isAttached(value: unknown): value is Attached {
  return typeof value === "object" && value !== null && "name" in value && "mediaType" in value && "data" in value;
}
