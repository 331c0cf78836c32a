import { useSearchParams } from "wouter";

/** What the address of the data context says, and how to change it. */
export interface ContextPlace {
  /** The words of the filter or the search. */
  readonly words: string;
  /** The entry that is open. */
  readonly open: string | undefined;
  get(name: string): string | undefined;
  /** An empty or missing value is taken out of the address. */
  set(values: Readonly<Record<string, string | undefined>>): void;
}

export function useContextPlace(): ContextPlace {
  const [search, setSearch] = useSearchParams();
  return {
    words: search.get("q") ?? "",
    open: search.get("open") ?? undefined,
    get: (name) => search.get(name) ?? undefined,
    set: (values) =>
      setSearch(
        (before) => {
          const next = new URLSearchParams(before);
          for (const [name, value = ""] of Object.entries(values)) {
            if (value === "") next.delete(name);
            else next.set(name, value);
          }
          return next;
        },
        { replace: true },
      ),
  };
}
