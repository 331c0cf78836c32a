import type { ApiTable } from "@bridle/client";

type Profile = ApiTable["columns"][number]["profile"];

const maxValues = 5;
const longest = 60;

/** Formats values in the wording of `bridle context show`: `DE, FR`, or `10001 … 10160` for many values. */
export function describeValues(profile: Profile): string {
  if (profile === undefined) return "";
  const { frequent, min, max, distinct } = profile;
  const isWhole = frequent.length === distinct && distinct <= maxValues;
  if (isWhole || min === undefined || max === undefined)
    return frequent
      .slice(0, maxValues)
      .map(({ value }) => cut(value))
      .join(", ");
  return min === max ? cut(min) : `${cut(min)} … ${cut(max)}`;
}

function cut(value: string): string {
  const shown = [...value.slice(0, longest * 2)].slice(0, longest).join("");
  return shown.length < value.length ? `${shown}…` : value;
}
