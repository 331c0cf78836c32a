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

/** Sorts newly failing cases first and unchanged cases last. */
export function sortByChange(cases: ComparedCases): ComparedCases {
  return cases.toSorted((a, b) => order.indexOf(a.change) - order.indexOf(b.change));
}
