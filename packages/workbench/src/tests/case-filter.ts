import type { ApiTestRunOverview } from "@bridle/client";

export type TestedCase = ApiTestRunOverview["cases"][number];

export const caseFilters = ["all", "failed", "flaky", "errored"] as const;
export type CaseFilter = (typeof caseFilters)[number];

export function toCaseFilter(text: string | null): CaseFilter {
  return caseFilters.find((filter) => filter === text) ?? "all";
}

const fits: Readonly<Record<CaseFilter, (tested: TestedCase) => boolean>> = {
  all: () => true,
  failed: ({ outcome }) => outcome === "failed",
  flaky: ({ flaky }) => flaky,
  errored: ({ outcome }) => outcome === "errored",
};

export function countCases(cases: readonly TestedCase[], filter: CaseFilter): number {
  return cases.filter(fits[filter]).length;
}

/** Returns the cases that pass the filter and whose name contains the text. */
export function filterCases(cases: readonly TestedCase[], filter: CaseFilter, text: string): readonly TestedCase[] {
  const wanted = text.trim().toLowerCase();
  return cases.filter((tested) => fits[filter](tested) && tested.name.toLowerCase().includes(wanted));
}
