import type { Attached } from "./attachments.ts";

/**
 * The attachments of each session's unsent message. They are kept when the page is reloaded, unless the tab's storage is too small. Like
 * the token, they are in the storage of this tab, because files can contain sensitive data that should not remain on disk.
 */
const prefix = "bridle.attached.";

export interface KeptAttachments {
  readonly attachments: readonly Attached[];
  /** The names of files that did not fit in the storage. */
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

/**
 * Stores only the attachments' names, because the attachments exceed a tab's storage of about 5 MB. The user then knows which files to
 * attach again.
 */
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
