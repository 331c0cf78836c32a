/** Recognises the kind of a column's values by the column's name. */
import type { ValueType } from "../port/structure.ts";
import type { SensitiveKind } from "./sensitive-kinds.ts";

/** Words at the end of a name that do not change its subject, as in `email_address_2`. */
const neutral = new Set(
  "address addr adress adresse number numbers num nr no value text txt raw plain clear primary secondary home work private business office main default current old new hash hashed hex encoded encrypted enc salted digest string str e164 normalized normalised canonical lower 1 2 3 4".split(
    " ",
  ),
);

/** Patterns for the end of a name, whose words are separated by one blank and whose neutral words are removed. */
const ends: Readonly<Record<SensitiveKind, RegExp>> = {
  email: /(?:^| )(?:e ?mails?|mail|email adresse|correo|courriel)$/,
  phone:
    /(?:^| )(?:(?:tele)?phones?|phone ?(?:no|number)|tel|telefon|telefono|telefoon|telephone|mobile|mobil|msisdn|fax|handy|cell ?phone|whatsapp|gsm)$/,
  iban: /(?:^| )ibans?$/,
  bank_account: /(?:^| )bank (?:account|acct|acc)$|(?:^| )(?:kontonummer|bankaccount|routing)$/,
  card: /(?:^| )(?:(?:credit|debit|payment|cc) ?card|card ?number|card ?num|card|credit ?card ?number|pan|ccn|cc|cvv2?|cvc2?|card security code)$/,
  national_id:
    /(?:^| )(?:ssn|social security|social insurance|sin|nino|national (?:id|insurance|identifier)|nationalid|identity card|id card|passport|passport ?no|driving licen[cs]e|driver ?s? ?licen[cs]e|cpf|curp|pesel|bsn|aadhaar|personnummer|dni|nie|codice fiscale|steuer id|tax id|amka|personal code)$/,
  ip_address: /(?:^| )(?:ip|ips|ipv4|ipv6|ip ?addr|remote addr|client ip|ipaddress)$/,
  token:
    /(?:^| )(?:(?:api|access|secret|private|encryption|signing|license|ssh|auth|webhook) ?keys?|apikey|tokens?|secrets?|credentials?|cookie|otp|totp|recovery codes?|backup codes?|auth code)$/,
  password:
    /(?:^| )(?:passwords?|passwd|pwd|passphrase|passcode|passwort|kennwort|wachtwoord|contrasena|password ?hash|salt|pin ?code|pin)$/,
};

/** Types that numbers may be stored as, including floats. */
const numeric: readonly ValueType[] = ["integer", "decimal", "float"];
const textual: readonly ValueType[] = ["text", "other", "json", "array"];
const types: Readonly<Record<SensitiveKind, readonly ValueType[]>> = {
  email: textual,
  phone: [...textual, ...numeric],
  iban: textual,
  bank_account: [...textual, ...numeric],
  card: [...textual, ...numeric],
  national_id: [...textual, ...numeric],
  ip_address: textual,
  token: [...textual, "uuid", "bytes"],
  password: [...textual, "bytes"],
};

/** Returns the kind of a column by its name, if values of its type can be of that kind. */
export function kindOfName(name: string, type: ValueType): SensitiveKind | undefined {
  const words = splitWords(name);
  const shortened = words.join(" ");
  const plain = withoutNeutral(words).join(" ");
  const kinds = Object.keys(ends) as SensitiveKind[]; // the keys of `ends`
  return kinds.find((kind) => types[kind].includes(type) && (ends[kind].test(plain) || ends[kind].test(shortened)));
}

function withoutNeutral(words: readonly string[]): readonly string[] {
  const last = words.findLastIndex((word) => !neutral.has(word));
  return words.slice(0, last + 1);
}

function splitWords(name: string): readonly string[] {
  return name
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .replaceAll(/(\p{Ll}|\d)(\p{Lu})/gu, "$1 $2")
    .replaceAll(/(\p{Lu}+)(\p{Lu}\p{Ll})/gu, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .flatMap((word) => word.split(/(?<=\p{L}{3})(?=\d$)/u))
    .filter(Boolean);
}
