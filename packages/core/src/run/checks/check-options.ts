/** Checks for the options of a request. Each function throws InvalidRequestError. */
import { isAbsolute } from "node:path";
import { type EventDetail, eventDetailSchema, InvalidRequestError, preview } from "@bridle/protocol";

export function absolute(projectDir: string): string {
  if (isAbsolute(projectDir)) return projectDir;
  throw new InvalidRequestError(`projectDir is "${projectDir}", but must be an absolute path. Use path.resolve().`);
}

export function knownDetails(details: readonly EventDetail[] | undefined): readonly EventDetail[] | undefined {
  const unknown = details?.find((detail) => !eventDetailSchema.safeParse(detail).success);
  if (unknown === undefined) return details;
  throw new InvalidRequestError(
    `eventDetails contains ${preview(unknown)}, which is not known. Use ${eventDetailSchema.options.join(", ")}.`,
  );
}

export function wholeNumber(field: string, value: number, min: number): number {
  if (Number.isSafeInteger(value) && value >= min) return value;
  throw new InvalidRequestError(`${field} is ${value}, but must be a whole number from ${min}.`);
}

export function wholeOrNone(field: string, value: number | undefined): number | undefined {
  return value === undefined ? undefined : wholeNumber(field, value, 1);
}

export function within(field: string, value: number | undefined, min: number, max: number): number | undefined {
  if (value === undefined || (value >= min && value <= max)) return value;
  throw new InvalidRequestError(`${field} is ${value}, but must be a number from ${min} to ${max}.`);
}

/** Returns the value. Throws InvalidRequestError unless the value is missing or above 0. */
export function positive(field: string, value: number | undefined): number | undefined {
  if (value === undefined || (Number.isFinite(value) && value > 0)) return value;
  throw new InvalidRequestError(`${field} is ${value}, but must be a number above 0.`);
}
