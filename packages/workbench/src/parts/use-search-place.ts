import { useSearchParams } from "wouter";
import { type SearchValues, withValues } from "../app/paths.ts";

/** The query parameters of the URL, and a way to change them. */
export interface SearchPlace {
  get(name: string): string | undefined;
  /** Changes these values and keeps the others. The step back of the browser leads to the view before. */
  set(values: SearchValues): void;
}

export function useSearchPlace(): SearchPlace {
  const [search, setSearch] = useSearchParams();
  return {
    get: (name) => search.get(name) ?? undefined,
    set: (values) => setSearch((before) => withValues(before, values), { replace: true }),
  };
}
