/** The maximum size of an unpacked bundle in bytes. */
export const maxBytes = 4_000_000_000;

/** Up to this unpacked size in bytes, any compression ratio is allowed. */
const bytesOfSmall = 256_000_000;

/** The maximum compression ratio of a larger bundle. Events have a ratio of about 20; an archive bomb has 1000. */
const maxRatio = 200;

/** Returns the maximum number of bytes that a bundle may unpack to. Without a limit, unpacking a small file could take arbitrarily long. */
export function maxUnpackedBytes(packedBytes: number): number {
  return Math.min(maxBytes, Math.max(bytesOfSmall, maxRatio * packedBytes));
}

/** The maximum size of the manifest in bytes. The manifest is read as a whole. */
export const maxManifestBytes = 64_000_000;

/** The maximum size of one event in bytes. Each event is read as a whole. */
export const maxEventBytes = 64_000_000;

/** The maximum number of runs whose end the manifest describes. */
export const maxListedRuns = 10_000;
