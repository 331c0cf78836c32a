import { crc32 } from "node:zlib";

/**
 * Returns one message of an AWS event stream (`application/vnd.amazon.eventstream`): the lengths of the message and of the headers, a
 * checksum of both lengths, the headers, the payload, and a checksum of everything before. Numbers are big-endian.
 */
export function toEventStreamMessage(headers: Readonly<Record<string, string>>, payload: string): Uint8Array {
  const head = Buffer.concat(Object.entries(headers).map(([name, value]) => toHeader(name, value)));
  const body = Buffer.from(payload);
  const lengths = Buffer.concat([uint32(head.length + body.length + 16), uint32(head.length)]);
  const checked = Buffer.concat([lengths, uint32(crc32(lengths)), head, body]);
  return Buffer.concat([checked, uint32(crc32(checked))]);
}

const stringType = 7;

/** Returns a header: its name with a length of one byte, the type of the value, and the value with a length of two bytes. */
function toHeader(name: string, value: string): Buffer {
  const nameBytes = Buffer.from(name);
  const valueBytes = Buffer.from(value);
  const length = Buffer.alloc(2);
  length.writeUInt16BE(valueBytes.length);
  return Buffer.concat([Buffer.of(nameBytes.length), nameBytes, Buffer.of(stringType), length, valueBytes]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
