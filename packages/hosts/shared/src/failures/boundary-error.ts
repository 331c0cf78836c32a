import { BoundaryError } from "@bridle/protocol";

/**
 * Returns the error for a host whose report of its tools and settings differs from those that it was started with.
 *
 * @param host The host's title, such as "Claude Code".
 * @param outcome The consequence for the run, as a sentence.
 */
export function startBoundaryError(
  host: string,
  differences: readonly string[],
  outcome = "Nothing was run.",
): BoundaryError {
  return new BoundaryError(
    `${host} did not start as configured: ${differences.join("; ")}. ${outcome} ` +
      'To find the cause on this machine, run "bridle doctor --boundary".',
    differences,
  );
}
