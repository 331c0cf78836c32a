import { sha256 } from "@bridle/core";
import { ConfigError } from "@bridle/protocol";

/** Longer names become a hash, so that paths below the folder stay within the limits of every system. */
const maxPlainLength = 80;

/** The start of a hash. No plain name begins with it, because four hexadecimal digits follow each underscore in a plain name. */
const hashMark = "_h";

/** Names that Windows reserves for devices, as far as the encoding can produce them. */
const device = /^(?:con|prn|aux|nul|com\d|lpt\d)$/;

/**
 * Encodes a namespace as the name of its folder: one path segment, different for every namespace on every file system.
 *
 * Lower-case letters, digits and inner hyphens are kept. Every other UTF-16 unit becomes `_` and four hexadecimal digits.
 * So two names cannot collide because of case or Unicode forms, and no name leads out of the folder. The encoding is
 * reversible, except for long names, which become a hash. Throws ConfigError for an empty namespace: it is usually the id
 * of a user who was not found, and all such users would share one folder.
 *
 * @example
 * encodeNamespace("user-7"); // "user-7"
 * encodeNamespace("../A"); // "_002e_002e_002f_0041"
 */
export function encodeNamespace(namespace: string): string {
  if (namespace === "") throw new ConfigError(empty, { field: "namespace" });
  const plain = namespace.replaceAll(/^-|[^a-z0-9-]/g, escaped);
  const name = device.test(plain) ? plain.replace(/^./, escaped) : plain;
  return name.length <= maxPlainLength ? name : `${hashMark}${sha256(name)}`;
}

const empty = "The namespace is an empty text. Pass the id of the user, or leave namespace out for your own runs.";

/** Escapes a UTF-16 unit. */
function escaped(unit: string): string {
  return `_${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
