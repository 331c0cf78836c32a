/** The most bytes of an unpacked bundle. */
export const mostBytes = 4_000_000_000;

/** A bundle of this size may be packed in any way. */
const bytesOfSmall = 256_000_000;

/** How many times its packed size a larger bundle may have. Events have about 20 times; a file that was made to be unpacked, 1000 times. */
const mostRatio = 200;

/** The most bytes that a bundle may unpack to. Without a limit, a small file could take any time. */
export function mostUnpackedBytes(packedBytes: number): number {
  return Math.min(mostBytes, Math.max(bytesOfSmall, mostRatio * packedBytes));
}

/** The most bytes of the manifest. It is read as a whole. */
export const mostManifestBytes = 64_000_000;

/** The most bytes of one event. It is read as a whole. */
export const mostEventBytes = 64_000_000;

/** The most runs whose end is in the manifest. */
export const mostListedRuns = 10_000;
