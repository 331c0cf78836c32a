/**
 * Ids of output items. The rehearsal stores nothing between requests, so an item's id records whether the API would have stored the item.
 */
type Kind = "msg" | "rs" | "fc" | "ctc";

export function itemId(kind: Kind, id: string, isStored: boolean): string {
  return `${kind}_${isStored ? "" : "unstored_"}${id}`;
}

/** Whether the id belongs to an item that the API would have stored. */
export function isStoredItem(id: string): boolean {
  return /^(msg|rs|fc|ctc)_[0-9a-f]+$/.test(id);
}
