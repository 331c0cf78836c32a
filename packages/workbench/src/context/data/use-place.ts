import { type SearchPlace, useSearchPlace } from "../../parts/use-search-place.ts";

/** The state of the data context in the URL, and a way to change it. */
export interface ContextPlace extends SearchPlace {
  /** The words of the filter or the search. */
  readonly words: string;
  /** The entry that is open. */
  readonly open: string | undefined;
}

export function useContextPlace(): ContextPlace {
  const place = useSearchPlace();
  return { ...place, words: place.get("q") ?? "", open: place.get("open") };
}
