/** Reads and writes tar headers (POSIX ustar), as far as a bundle needs them: for plain files with short names. */

export const blockSize = 512;
const maxNameLength = 100;

/** The maximum number of files in an archive. A bundle has one file for each artifact, and a few others. */
export const maxFiles = 100_000;

/** The maximum size of a file in bytes: eleven octal digits. */
const maxBytesOfFile = 0o77777777777;

/** Fields of a header by offset and length, as in POSIX.1-1988, "ustar Interchange Format". */
const fields = {
  name: [0, 100],
  mode: [100, 8],
  uid: [108, 8],
  gid: [116, 8],
  size: [124, 12],
  time: [136, 12],
  prefix: [345, 155],
} as const;
const checksumAt = 148;
const typeAt = 156;
const magicAt = 257;

/** Reads the path and the size of a file. Throws RangeError if `createHeader` cannot have made the header. */
export function readHeader(header: Buffer): { path: string; size: number } {
  if (Number.parseInt(textAt(header, checksumAt, 8), 8) !== computeChecksum(header))
    throw new RangeError("a header is damaged");
  const type = textAt(header, typeAt, 1);
  if (type !== "0" && type !== "")
    throw new RangeError("the archive contains something else than plain files, such as a link");
  const path = textAt(header, ...fields.name);
  const isWithin = path !== "" && !/^[/\\]|^[A-Za-z]:|\\/.test(path) && !path.split("/").includes("..");
  if (!isWithin || textAt(header, ...fields.prefix) !== "") {
    throw new RangeError("a name in the archive leads out of the folder");
  }
  const [size, time] = [octalAt(header, fields.size), octalAt(header, fields.time)];
  if (!header.equals(createHeader(path, size, new Date(time * 1000)))) {
    throw new RangeError("a header has unknown data");
  }
  return { path, size };
}

/** Returns the number of bytes between the end of a file and the next block. */
export function paddingOf(size: number): number {
  return (blockSize - (size % blockSize)) % blockSize;
}

/** Throws RangeError for bytes that are not part of a file, because they could hide anything. */
export function requireEmpty(bytes: Buffer): void {
  const isEmpty = bytes.length === 0 || (bytes[0] === 0 && bytes.subarray(1).equals(bytes.subarray(0, -1)));
  if (!isEmpty) throw new RangeError("the archive has bytes that belong to no file");
}

/** Creates the header of a file. Throws RangeError if the file is too large or its name is too long. */
export function createHeader(path: string, size: number, time: Date): Buffer {
  if (Buffer.byteLength(path) >= maxNameLength) throw new RangeError(`the name ${path} is too long`);
  if (size > maxBytesOfFile) throw new RangeError(`the file ${path} has more than ${maxBytesOfFile} bytes`);
  const header = Buffer.alloc(blockSize);
  const octal = (value: number, [at, length]: readonly [number, number]) =>
    header.write(value.toString(8).padStart(length - 1, "0"), at);
  header.write(path, 0);
  octal(0o644, fields.mode);
  octal(0, fields.uid);
  octal(0, fields.gid);
  octal(size, fields.size);
  octal(Math.floor(time.getTime() / 1000), fields.time);
  header.write("0", typeAt);
  header.write("ustar\u000000", magicAt);
  octal(computeChecksum(header), [checksumAt, 7]);
  header.write(" ", checksumAt + 7);
  return header;
}

/** Computes the sum of all bytes, with spaces in place of the checksum. */
function computeChecksum(header: Uint8Array): number {
  return header.reduce((sum, byte, at) => sum + (at >= checksumAt && at < checksumAt + 8 ? 32 : byte), 0);
}

function octalAt(header: Buffer, [at, length]: readonly [number, number]): number {
  return Number.parseInt(textAt(header, at, length), 8);
}

function textAt(header: Buffer, at: number, length: number): string {
  return header.toString("utf8", at, at + length).replace(/[\0 ].*$/s, "");
}
