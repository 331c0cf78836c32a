import { isBridleError } from "@bridle/core";

/** JSON of an event or a result. An error's message is no enumerable field of it, and would be lost. */
export function toJson(value: unknown, indent?: number): string {
  return JSON.stringify(
    value,
    (_key, item: unknown) => (isBridleError(item) ? { ...item, message: item.message } : item),
    indent,
  );
}
