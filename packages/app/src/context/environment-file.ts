import type { EnvironmentFile } from "@bridle/project";

/** Describes the result of reading a `.env` file. Contains the names of variables, but not their values. */
export function describeEnvironmentFile({ path, read, set, refused, fault }: EnvironmentFile): string {
  if (fault !== null) return `${path} was not read, because ${fault}`;
  const parts = [
    `read from ${path}: ${read.join(", ") || "nothing"}`,
    ...(set.length > 0 ? [`set already: ${set.join(", ")}`] : []),
    ...(refused.length > 0 ? [`never read from a file: ${refused.join(", ")}`] : []),
  ];
  return parts.join("; ");
}
