/** Writes the tokens of Tabular Data Stream, version 7.4, that the tests need. */

const u8 = (value: number) => Buffer.from([value]);
const u16 = (value: number) => Buffer.from(Uint16Array.of(value).buffer);
const u32 = (value: number) => Buffer.from(Uint32Array.of(value).buffer);
const ucs2 = (text: string) => Buffer.from(text, "utf16le");
const shortText = (text: string) => Buffer.concat([u8(text.length), ucs2(text)]);
const sizedText = (text: string) => Buffer.concat([u16(text.length), ucs2(text)]);
const collation = Buffer.from([0x09, 0x04, 0xd0, 0x00, 0x34]);

/** A column: its type in the protocol, and a function that writes a value. */
export interface TdsColumn {
  readonly name: string;
  readonly type: Buffer;
  encode(value: unknown): Buffer;
}

const sized = (bytes: Buffer) => Buffer.concat([u8(bytes.length), bytes]);
const none = u8(0);

function littleEndian(value: bigint, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  for (let i = 0; i < length; i += 1) bytes[i] = Number((BigInt.asUintN(length * 8, value) >> BigInt(i * 8)) & 0xffn);
  return bytes;
}

export const text = (name: string): TdsColumn => ({
  name,
  type: Buffer.concat([u8(0xe7), u16(8000), collation]),
  encode: (value) =>
    value === null ? u16(0xffff) : Buffer.concat([u16(String(value).length * 2), ucs2(String(value))]),
});

/** Returns a column of type `nvarchar(max)`, whose values have an unknown length and are sent in parts. */
export const longText = (name: string): TdsColumn => ({
  name,
  type: Buffer.concat([u8(0xe7), u16(0xffff), collation]),
  encode(value) {
    const part = ucs2(String(value));
    return Buffer.concat([u32(0xfffffffe), u32(0xffffffff), u32(part.length), part, u32(0)]);
  },
});

export const integer = (name: string): TdsColumn => ({
  name,
  type: Buffer.from([0x26, 8]),
  encode: (value) => (value === null ? none : sized(littleEndian(BigInt(String(value)), 8))),
});

export const flag = (name: string): TdsColumn => ({
  name,
  type: Buffer.from([0x68, 1]),
  encode: (value) => (value === null ? none : sized(u8(value === true ? 1 : 0))),
});

/** Returns a column of type `decimal(38, 2)`, whose values count hundredths. */
export const decimal = (name: string): TdsColumn => ({
  name,
  type: Buffer.from([0x6a, 17, 38, 2]),
  encode: (value) => {
    const units = BigInt(String(value));
    return sized(Buffer.concat([u8(units < 0n ? 0 : 1), littleEndian(units < 0n ? -units : units, 16)]));
  },
});

export const float = (name: string): TdsColumn => ({
  name,
  type: Buffer.from([0x6d, 8]),
  encode: (value) => sized(Buffer.from(Float64Array.of(Number(value)).buffer)),
});

export const bytes = (name: string): TdsColumn => ({
  name,
  type: Buffer.concat([u8(0xa5), u16(8000)]),
  encode: (value) => (value instanceof Uint8Array ? Buffer.concat([u16(value.length), value]) : u16(0xffff)),
});

export const guid = (name: string): TdsColumn => ({
  name,
  type: Buffer.from([0x24, 16]),
  encode: (value) => (value instanceof Uint8Array ? sized(Buffer.from(value)) : none),
});

/** Writes a time of day in units of 100 ns, then days since 0001-01-01, then the zone's offset in minutes. */
const temporal =
  (kind: number, scale: readonly number[], parts: (value: readonly bigint[]) => Buffer) =>
  (name: string): TdsColumn => ({
    name,
    type: Buffer.from([kind, ...scale]),
    encode: (value) => (Array.isArray(value) ? sized(parts(value)) : none),
  });

export const date = temporal(0x28, [], ([days = 0n]) => littleEndian(days, 3));
export const time = temporal(0x29, [7], ([clock = 0n]) => littleEndian(clock, 5));
export const datetime2 = temporal(0x2a, [7], ([clock = 0n, days = 0n]) =>
  Buffer.concat([littleEndian(clock, 5), littleEndian(days, 3)]),
);
export const datetimeoffset = temporal(0x2b, [7], ([clock = 0n, days = 0n, zone = 0n]) =>
  Buffer.concat([littleEndian(clock, 5), littleEndian(days, 3), littleEndian(zone, 2)]),
);

export function columnsToken(columns: readonly TdsColumn[]): Buffer {
  const described = columns.map(({ name, type }) => Buffer.concat([u32(0), u16(1), type, shortText(name)]));
  return Buffer.concat([u8(0x81), u16(columns.length), ...described]);
}

export function rowToken(columns: readonly TdsColumn[], row: readonly unknown[]): Buffer {
  return Buffer.concat([u8(0xd1), ...columns.map((column, index) => column.encode(row[index]))]);
}

export function doneToken(status: number, rows = 0): Buffer {
  return Buffer.concat([u8(0xfd), u16(status), u16(0xc1), u32(rows), u32(0)]);
}

export function errorToken(number: number, message: string): Buffer {
  const body = Buffer.concat([
    u32(number),
    u8(1),
    u8(16),
    sizedText(message),
    shortText("server"),
    shortText(""),
    u32(1),
  ]);
  return Buffer.concat([u8(0xaa), u16(body.length), body]);
}

export function loginToken(): Buffer {
  const body = Buffer.concat([
    u8(1),
    Buffer.from([0x74, 0, 0, 4]),
    shortText("Scripted server"),
    Buffer.from([16, 0, 0, 0]),
  ]);
  return Buffer.concat([u8(0xad), u16(body.length), body]);
}

/** Returns the answer to the first message: no encryption, and one result at a time. */
export function preloginAnswer(): Buffer {
  const options = [
    [0x00, Buffer.from([16, 0, 0, 0, 0, 0])],
    [0x01, Buffer.from([2])],
    [0x04, Buffer.from([0])],
  ] as const;
  let offset = options.length * 5 + 1;
  const heads: Buffer[] = [];
  for (const [token, data] of options) {
    heads.push(Buffer.from([token, offset >> 8, offset & 255, 0, data.length]));
    offset += data.length;
  }
  return Buffer.concat([...heads, u8(0xff), ...options.map(([, data]) => data)]);
}
