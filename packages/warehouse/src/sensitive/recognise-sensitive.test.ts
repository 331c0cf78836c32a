import { expect, test } from "vitest";
import type { ValueType } from "../port/structure.ts";
import type { WarehouseValue } from "../port/values.ts";
import { hasLuhnDigit, remainder, weightedSum } from "./checksums.ts";
import { recogniseSensitive } from "./recognise-sensitive.ts";
import type { SensitiveKind } from "./sensitive-kinds.ts";

/** Returns a function for numbers that look random and are the same in every run. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

const random = numbers(7);
const digits = (count: number) => Array.from({ length: count }, () => Math.floor(random() * 10)).join("");
const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T; // never empty
const many = <T>(make: (index: number) => T, count = 60) => Array.from({ length: count }, (_, index) => make(index));
const letters = (count: number, of = "abcdefghijklmnopqrstuvwxyz") => many(() => pick([...of]), count).join("");
const hex = (count: number) => letters(count, "0123456789abcdef");

const withLuhn = (start: string, length: number) => {
  const body = start + digits(length - start.length - 1);
  return body + many((digit) => digit, 10).find((digit) => hasLuhnDigit(body + digit));
};
const iban = (country: string, length: number) => {
  const account = digits(length - 4);
  const code = [...country].map((letter) => letter.charCodeAt(0) - 55).join("");
  return country + String(98 - remainder(`${account}${code}00`, 97)).padStart(2, "0") + account;
};
const cpf = () => {
  const body = digits(9);
  const check = (text: string) =>
    ((weightedSum(
      text,
      many((index) => text.length + 1 - index, text.length),
    ) *
      10) %
      11) %
    10;
  const all = body + check(body) + check(body + check(body));
  return `${all.slice(0, 3)}.${all.slice(3, 6)}.${all.slice(6, 9)}-${all.slice(9)}`;
};
const dni = () => {
  const number = digits(8);
  return number + "TRWAGMYFPDXBNJZSQVHLCKE"[Number(number) % 23];
};
const email = () => `${letters(6)}.${letters(8)}@${letters(7)}.example`;
const card = () => withLuhn(pick(["4", "51", "55"]), 16);
const grouped = (text: string) => text.replaceAll(/(.{4})(?=.)/g, "$1 ");
const ssn = () =>
  `${100 + Math.floor(random() * 500)}-${10 + Math.floor(random() * 80)}-${1000 + Math.floor(random() * 8000)}`;
const jwt = () => `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOi${letters(20)}.${letters(40)}`;
const part = (min: number, max: number) => String(min + Math.floor(random() * (max - min)));

type Case = [title: string, name: string, type: ValueType, values: readonly WarehouseValue[], kind: SensitiveKind];

const sensitive: Case[] = [
  ["e-mail addresses", "contact", "text", many(email), "email"],
  [
    "e-mail addresses with capitals and plus",
    "c1",
    "text",
    many(() => `A.${letters(5)}+news@Mail.Example.org`),
    "email",
  ],
  ["international e-mail addresses", "c1", "text", many(() => `jörg.${letters(4)}@bücher.example`), "email"],
  [
    "e-mail addresses within notes",
    "notes",
    "text",
    many((at) => (at % 20 === 0 ? `ask <${email()}>, please` : "paid")),
    "email",
  ],
  [
    "e-mail addresses in JSON",
    "payload",
    "json",
    many(() => `{"a":[{"to":"x\\u0040${letters(5)}.example"}]}`),
    "email",
  ],
  ["e-mail addresses in arrays", "recipients", "array", many(() => [email(), null, email()]), "email"],
  ["e-mail addresses in bytes", "blob", "bytes", many(() => new TextEncoder().encode(email())), "email"],
  ["phone numbers with a plus", "c2", "text", many(() => `+${part(30, 49)} ${digits(3)} ${digits(7)}`), "phone"],
  ["American phone numbers", "c2", "text", many(() => `(${part(201, 989)}) ${part(201, 989)}-${digits(4)}`), "phone"],
  ["European phone numbers", "c2", "text", many(() => `0${part(30, 99)} ${digits(3)} ${digits(4)}`), "phone"],
  ["phone numbers as digits in a column for them", "mobile_phone", "text", many(() => `0171${digits(7)}`), "phone"],
  [
    "phone numbers as integers in a column for them",
    "Telefon",
    "integer",
    many(() => BigInt(`49171${digits(7)}`)),
    "phone",
  ],
  ["IBANs", "konto", "text", many(() => iban("DE", 22)), "iban"],
  ["IBANs in groups", "k", "text", many(() => grouped(iban("FR", 27))), "iban"],
  [
    "IBANs within a text",
    "purpose",
    "text",
    many((at) => (at % 9 ? "rent" : `to ${iban("GB", 22).replace("GB", "gb")} by 1st`)).map((t) =>
      t.replace(/gb(?=\d)/, "GB"),
    ),
    "iban",
  ],
  ["card numbers", "c3", "text", many(card), "card"],
  ["card numbers as integers", "c3", "integer", many(() => BigInt(card())), "card"],
  ["card numbers as decimals", "c3", "decimal", many(() => `${card()}.00`), "card"],
  ["card numbers as floats", "c3", "float", many(() => Number(withLuhn("37", 15))), "card"],
  ["printed card numbers", "c3", "text", many(() => grouped(card())), "card"],
  [
    "a few printed card numbers within notes",
    "notes",
    "text",
    many((at) => (at % 25 ? "ok" : `card ${grouped(card())} refused`)),
    "card",
  ],
  ["security codes of cards", "cvv", "text", many(() => digits(3)), "card"],
  ["US social security numbers", "c4", "text", many(ssn), "national_id"],
  [
    "US social security numbers as digits",
    "ssn",
    "integer",
    many(() => BigInt(part(100_000_000, 899_000_000))),
    "national_id",
  ],
  ["Brazilian CPF numbers", "c4", "text", many(cpf), "national_id"],
  ["Spanish DNI numbers", "documento", "text", many(dni), "national_id"],
  ["Italian tax codes", "cf", "text", many(() => `${letters(6, "BCDFG")}85M01H${digits(3)}Z`), "national_id"],
  ["British insurance numbers", "c4", "text", many(() => `AB ${digits(2)} ${digits(2)} ${digits(2)} C`), "national_id"],
  ["passport numbers by name", "passport_number", "text", many(() => `C${digits(8)}`), "national_id"],
  ["IPv4 addresses", "c5", "text", many(() => `10.${part(0, 255)}.${part(0, 255)}.${part(1, 255)}`), "ip_address"],
  ["IPv6 addresses", "c5", "other", many(() => `2001:db8::${hex(4)}`), "ip_address"],
  ["JSON web tokens", "c6", "text", many(jwt), "token"],
  ["keys of vendors", "c6", "text", many(() => `sk_live_${letters(24)}`), "token"],
  [
    "access keys within a configuration",
    "config",
    "text",
    many((at) => (at ? "debug=1" : `key=AKIA${letters(16, "ABCDEFGH234567")}`)),
    "token",
  ],
  [
    "private keys",
    "pem",
    "text",
    many(() => `-----BEGIN PRIVATE KEY-----\n${letters(64)}\n-----END PRIVATE KEY-----`),
    "token",
  ],
  ["addresses with a password", "dsn", "text", many(() => `postgres://app:${letters(12)}9@db.example/shop`), "token"],
  ["random tokens by name", "refresh_token", "text", many(() => hex(32)), "token"],
  [
    "tokens of the type uuid by name",
    "reset_token",
    "uuid",
    many(() => `${hex(8)}-${hex(4)}-4${hex(3)}-8${hex(3)}-${hex(12)}`),
    "token",
  ],
  ["bcrypt hashes", "c7", "text", many(() => `$2b$12$${letters(53)}`), "password"],
  [
    "argon2 hashes",
    "h",
    "text",
    many(() => `$argon2id$v=19$m=65536,t=3,p=4$${letters(22)}$${letters(43)}`),
    "password",
  ],
  ["hexadecimal hashes by name", "password_hash", "text", many(() => hex(64)), "password"],
  ["plain passwords by name", "UserPassword", "text", many(() => letters(7)), "password"],
];

test.each(sensitive)("%s are recognised", (_, name, type, values, kind) => {
  expect(recogniseSensitive({ name, type, values })).toBe(kind);
});

test.each<[string, ValueType, SensitiveKind]>([
  ["email", "text", "email"],
  ["EMail", "text", "email"],
  ["customerEmailAddress2", "text", "email"],
  ["e-mail", "text", "email"],
  ["phone_number", "text", "phone"],
  ["Teléfono", "text", "phone"],
  ["fax", "text", "phone"],
  ["iban", "text", "iban"],
  ["bank_account_no", "text", "bank_account"],
  ["credit_card_number", "integer", "card"],
  ["client_ip", "other", "ip_address"],
  ["api_key", "text", "token"],
  ["accessToken", "text", "token"],
  ["pwd", "text", "password"],
  ["password_digest", "bytes", "password"],
  ["SSN", "text", "national_id"],
])("without values, the column %s of type %s is taken by its name", (name, type, kind) => {
  expect(recogniseSensitive({ name, type, values: [] })).toBe(kind);
});

type Plain = [title: string, name: string, type: ValueType, values: readonly WarehouseValue[]];

const plain: Plain[] = [
  ["consecutive numbers", "id", "integer", many((at) => BigInt(at + 1))],
  ["long numbers", "id", "integer", many(() => BigInt(`1${digits(17)}`), 400)],
  ["numbers of 16 digits that begin with 4", "ref", "integer", many(() => BigInt(`4${digits(15)}`), 400)],
  ["numbers of 16 digits as text", "tracking", "text", many(() => `5${digits(15)}`, 400)],
  ["numbers of 15 digits", "imei", "text", many(() => withLuhn("86", 15), 100)],
  ["order numbers", "order_no", "text", many((at) => `SO-2024-${String(at).padStart(6, "0")}`)],
  ["order numbers in groups", "order_no", "text", many(() => `${digits(3)}-${digits(7)}-${digits(7)}`)],
  ["order numbers that begin with zero", "order_no", "text", many(() => `0${digits(9)}`)],
  ["invoice numbers by year", "invoice", "text", many(() => `2024/${digits(5)}`)],
  ["part numbers", "sku", "text", many(() => `${letters(2, "ABCDEF")}${digits(2)} ${letters(4, "XYZ")} ${digits(6)}`)],
  [
    "codes with the beginning of an IBAN",
    "code",
    "text",
    many(() => `DE${digits(20)}`, 50).filter((text) => text !== iban("DE", 22)),
  ],
  ["article numbers", "ean", "text", many(() => `40${digits(11)}`, 200)],
  ["book numbers", "isbn", "text", many(() => `978-3-${digits(2)}-${digits(6)}-${digits(1)}`)],
  ["amounts", "amount", "decimal", many(() => `${digits(5)}.${digits(2)}`)],
  ["amounts as text", "price", "text", many(() => `1.${digits(3)}.${digits(3)},${digits(2)}`)],
  ["floats", "ratio", "float", many(() => random())],
  ["dates", "day", "date", many(() => `20${part(10, 29)}-0${part(1, 9)}-1${part(0, 9)}`)],
  ["dates as text", "day", "text", many(() => `20${part(10, 29)}-0${part(1, 9)}-1${part(0, 9)}`)],
  ["German dates as text", "day", "text", many(() => `0${part(1, 9)}.0${part(1, 9)}.20${part(10, 29)}`)],
  ["American dates as text", "day", "text", many(() => `0${part(1, 9)}/0${part(1, 9)}/20${part(10, 29)}`)],
  ["timestamps as text", "at", "text", many(() => `2024-01-${part(10, 28)} 1${part(0, 9)}:${part(10, 59)}:00+02:00`)],
  ["timestamps as numbers", "created_ms", "integer", many(() => BigInt(`17${digits(11)}`), 300)],
  ["numbers of an epoch as text", "created_ts", "text", many(() => `1${digits(9)}`)],
  ["uuids", "id", "uuid", many(() => `${hex(8)}-${hex(4)}-4${hex(3)}-8${hex(3)}-${hex(12)}`)],
  ["uuids as text", "id", "text", many(() => `${hex(8)}-${hex(4)}-4${hex(3)}-8${hex(3)}-${hex(12)}`)],
  ["hexadecimal digests of files", "sha256", "text", many(() => hex(64))],
  ["commits", "commit", "text", many(() => hex(40))],
  ["versions", "version", "text", many(() => `${part(1, 9)}.${part(0, 20)}.${part(0, 40)}`)],
  ["packages with versions", "package", "text", many(() => `${letters(6)}@${part(1, 9)}.${part(0, 20)}.3`)],
  ["addresses of repositories", "repo", "text", many(() => `git@github.com:${letters(5)}/${letters(7)}.git`)],
  ["web addresses", "url", "text", many(() => `https://${letters(7)}.example/@${letters(5)}/p/${digits(8)}`)],
  ["names", "name", "text", many(() => `${letters(6)} ${letters(8)}`)],
  ["handles", "handle", "text", many(() => `@${letters(8)}`)],
  ["postal codes", "zip", "text", many(() => `${digits(5)}-${digits(4)}`)],
  ["coordinates", "position", "text", many(() => `${part(-90, 90)}.${digits(6)}, ${part(-180, 180)}.${digits(6)}`)],
  ["times", "at", "text", many(() => `1${part(0, 9)}:${part(10, 59)}`)],
  ["whether an e-mail was sent", "email_status", "text", many(() => pick(["sent", "bounced"]))],
  ["counts of e-mails", "emails", "integer", many((at) => BigInt(at))],
  ["kinds of phones", "phone_type", "text", many(() => pick(["mobile", "work"]))],
  ["devices in a column named mobile", "mobile", "text", many(() => pick(["iPhone 15", "Pixel 8"]))],
  ["counts of tokens", "total_tokens", "integer", many(() => BigInt(digits(4)))],
  ["words in a column named token", "token", "text", many(() => pick(["the", "cat", "sat"]))],
  ["kinds of cards", "card", "text", many(() => pick(["visa", "amex"]))],
  ["flags about passwords", "has_password", "boolean", many(() => true)],
  ["times of changes of passwords", "password_changed_at", "timestamptz", many(() => "2024-01-01T00:00:00Z")],
  ["numbers of bank holidays", "bank_holidays", "integer", many(() => 3n)],
  ["account numbers of a ledger", "account", "text", many(() => digits(4))],
  ["tax numbers of companies", "vat_no", "text", many(() => `DE${digits(9)}`)],
  ["nothing", "note", "text", many(() => null)],
  ["weights of salt", "salt_grams", "float", many(() => random())],
  ["key performance indicators", "kpi_key", "text", many(() => letters(8))],
  ["JSON without persons", "settings", "json", many(() => `{"theme":"dark","size":${digits(3)}}`)],
  ["chemical numbers", "cas", "text", many(() => `${digits(5)}-${digits(2)}-${digits(1)}`)],
];

test.each(plain)("%s are not taken for sensitive values", (_, name, type, values) => {
  expect(recogniseSensitive({ name, type, values })).toBe(undefined);
});

test.each<[string, ValueType]>([
  ["email_count", "integer"],
  ["email_domain", "text"],
  ["email_opt_in", "boolean"],
  ["phone_country", "text"],
  ["token_expires_at", "timestamp"],
  ["tokens_used", "integer"],
  ["api_key_id", "text"],
  ["card_brand", "text"],
  ["zip", "text"],
  ["description", "text"],
  ["primary_key", "text"],
  ["order_number", "text"],
  ["amount", "decimal"],
  ["ship_date", "date"],
  ["script", "text"],
  ["description_tel_aviv", "text"],
])("without values, the column %s of type %s is not sensitive", (name, type) => {
  expect(recogniseSensitive({ name, type, values: [] })).toBe(undefined);
});

test("a long text of any characters is searched in time that grows with its length", () => {
  const values = [
    "a@".repeat(50_000),
    "1 ".repeat(50_000),
    "DE".repeat(50_000),
    "{".repeat(50_000),
    "+1(".repeat(40_000),
  ];
  expect(recogniseSensitive({ name: "x", type: "text", values })).toBe(undefined);
});
