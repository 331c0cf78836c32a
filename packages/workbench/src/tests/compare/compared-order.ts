import type { ApiComparison } from "@bridle/client";

type ComparedCases = ApiComparison["cases"];

const order: readonly ComparedCases[number]["change"][] = [
  "broken",
  "fixed",
  "added",
  "removed",
  "still-failing",
  "not-compared",
  "still-passing",
];

/** What broke comes first, what stayed as it was last. */
export function sortByChange(cases: ComparedCases): ComparedCases {
  return cases.toSorted((a, b) => order.indexOf(a.change) - order.indexOf(b.change));
}
