/**
 * Ids of output items. Nothing is remembered between requests, so an id says itself whether the API would have stored
 * its item.
 */
type Kind = "msg" | "rs" | "fc";

export function itemId(kind: Kind, id: string, isStored: boolean): string {
  return `${kind}_${isStored ? "" : "unstored_"}${id}`;
}

/** True for the id of an item that an earlier request had stored. */
export function isStoredItem(id: string): boolean {
  return /^(msg|rs|fc)_[0-9a-f]+$/.test(id);
}
