/** The most bytes of an unpacked bundle. */
export const maxBytes = 4_000_000_000;

/** A bundle of this size may be packed in any way. */
const bytesOfSmall = 256_000_000;

/** How many times its packed size a larger bundle may have. Events have about 20 times; a file that was made to be unpacked, 1000 times. */
const maxRatio = 200;

/** The most bytes that a bundle may unpack to. Without a limit, a small file could take any time. */
export function maxUnpackedBytes(packedBytes: number): number {
  return Math.min(maxBytes, Math.max(bytesOfSmall, maxRatio * packedBytes));
}

/** The most bytes of the manifest. It is read as a whole. */
export const maxManifestBytes = 64_000_000;

/** The most bytes of one event. It is read as a whole. */
export const maxEventBytes = 64_000_000;

/** The maximum number of runs that the manifest lists with how they ended. */
export const maxListedRuns = 10_000;
