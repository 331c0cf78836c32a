import { useSearchParams } from "wouter";
import { type SearchValues, withValues } from "../addresses/paths.ts";

/** The query parameters of the URL, and a way to change them. */
export interface SearchPlace {
  get(name: string): string | undefined;
  /** Changes these values and keeps the others. The back button of the browser returns to the previous view. */
  set(values: SearchValues): void;
}

export function useSearchPlace(): SearchPlace {
  const [search, setSearch] = useSearchParams();
  return {
    get: (name) => search.get(name) ?? undefined,
    set: (values) => setSearch((before) => withValues(before, values), { replace: true }),
  };
}
