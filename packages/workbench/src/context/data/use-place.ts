import { type SearchPlace, useSearchPlace } from "../../parts/use-search-place.ts";

/** Returns the state of the data context in the URL, and a function to change it. */
export interface ContextPlace extends SearchPlace {
  /** The words of the filter or the search. */
  readonly words: string;
  /** The id of the open entry. */
  readonly open: string | undefined;
}

export function useContextPlace(): ContextPlace {
  const place = useSearchPlace();
  return { ...place, words: place.get("q") ?? "", open: place.get("open") };
}
