import { BridleRequestError } from "@bridle/client";

/**
 * Whether the requested resource does not exist, or the server rejected only these parameters as invalid names. False if other values are
 * invalid.
 */
export function isMissing(error: unknown, names: readonly string[] = []): boolean {
  if (!(error instanceof BridleRequestError)) return false;
  if (error.status === 404) return true;
  const { errors } = error.problem;
  if (error.code !== "invalid-input" || !Array.isArray(errors) || errors.length === 0) return false;
  return errors.every((each: unknown) => names.includes(parameterOf(each)));
}

function parameterOf(error: unknown): string {
  const isNamed = typeof error === "object" && error !== null && "parameter" in error;
  return isNamed ? String(error.parameter) : "";
}
