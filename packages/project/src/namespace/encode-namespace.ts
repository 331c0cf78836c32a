import { sha256 } from "@bridle/core";
import { ConfigError } from "@bridle/protocol";

/** Longer names are as a hash, so that what lies below them has room within the limits of every system. */
const longestPlain = 80;

/** The start of a hash: never of a plain name, if four digits follow every underscore. */
const hashMark = "_h";

/** Names that Windows keeps for its devices, of those that can come out here. */
const device = /^(?:con|prn|aux|nul|com\d|lpt\d)$/;

/**
 * The name of a namespace's folder: one path segment, another one for every namespace, on every file system.
 *
 * Lower-case letters, digits and inner hyphens stand for themselves, and every other UTF-16 unit is `_` and its four
 * hexadecimal digits. So neither case nor Unicode forms can make two names one, nothing leads out of the folder, and it
 * is reversible up to the length from which on a hash is used. Throws ConfigError for an empty namespace: it is most
 * often the id of somebody who was not found, and all of those would share one.
 *
 * @example
 * encodeNamespace("user-7"); // "user-7"
 * encodeNamespace("../A"); // "_002e_002e_002f_0041"
 */
export function encodeNamespace(namespace: string): string {
  if (namespace === "") throw new ConfigError(empty, { field: "namespace" });
  const plain = namespace.replaceAll(/^-|[^a-z0-9-]/g, escaped);
  const name = device.test(plain) ? plain.replace(/^./, escaped) : plain;
  return name.length <= longestPlain ? name : `${hashMark}${sha256(name)}`;
}

const empty =
  "The namespace is an empty text. Name the user whose runs these are, or leave namespace out for runs of your own.";

/** Of one UTF-16 unit. */
function escaped(unit: string): string {
  return `_${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
