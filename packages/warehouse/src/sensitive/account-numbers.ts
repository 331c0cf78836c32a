/** Recognises numbers of bank accounts and cards by their check digits. */
import { hasLuhnDigit, remainder } from "./checksums.ts";

/** The length of an IBAN in each country with IBANs. */
const ibanLengths: ReadonlyMap<string, number> = new Map(
  (
    "AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18 DO28 EE20 EG29 ES24 " +
    "FI18 FK18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HN28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32 " +
    "LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MN20 MR27 MT31 MU30 NI28 NL18 NO15 OM23 PK24 PL28 PS29 PT25 QA29 RO24 " +
    "RS22 RU33 SA24 SC31 SD18 SE24 SI19 SK24 SM27 SO23 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20 YE30"
  )
    .split(" ")
    .map((entry) => [entry.slice(0, 2), Number(entry.slice(2))] as const),
);

export function isIban(text: string): boolean {
  const compact = text.replaceAll(/[\s-]/g, "").toUpperCase();
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(compact)) return false;
  if (ibanLengths.get(compact.slice(0, 2)) !== compact.length) return false;
  const turned = compact.slice(4) + compact.slice(0, 4);
  const digits = turned.replaceAll(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55));
  return remainder(digits, 97) === 1;
}

const ibanInText = /(?<![A-Za-z0-9])[A-Za-z]{2}\d{2}(?:[ -]?[A-Za-z0-9]){11,30}/g;

/** Finds IBANs in a longer text. The IBAN length of the country determines where each IBAN ends. */
export function findIbans(text: string): readonly string[] {
  return [...text.matchAll(ibanInText)].flatMap(([found]) => {
    const wanted = ibanLengths.get(found.slice(0, 2).toUpperCase()) ?? 0;
    const iban = startOf(found, wanted);
    return iban !== undefined && isIban(iban) ? [iban] : [];
  });
}

/** Returns the beginning of a string, up to this many letters and digits. */
function startOf(text: string, characters: number): string | undefined {
  let count = 0;
  for (let index = 0; index < text.length; index += 1) {
    if (/[A-Za-z0-9]/.test(text[index] ?? "")) count += 1;
    if (count === characters) return text.slice(0, index + 1);
  }
  return undefined;
}

/** The first digits and lengths of the card numbers of Visa, Mastercard, American Express, Discover, Diners, JCB and UnionPay. */
const cardForms = [
  /^4(?:\d{12}|\d{15}|\d{18})$/,
  /^5[1-5]\d{14}$/,
  /^2(?:22[1-9]|2[3-9]\d|[3-6]\d{2}|7[01]\d|720)\d{12}$/,
  /^3[47]\d{13}$/,
  /^6(?:011|5\d{2}|4[4-9]\d)\d{12}$/,
  /^3(?:0[0-5]|[68]\d)\d{11}$/,
  /^35(?:2[89]|[3-8]\d)\d{12}$/,
  /^62\d{14,17}$/,
];

/** Whether a string has the digits of a card number, regardless of the check digit. */
export function looksLikeCard(text: string): boolean {
  const digits = text.replaceAll(/[ -]/g, "");
  return /^\d[\d -]{11,24}$/.test(text) && cardForms.some((form) => form.test(digits));
}

export function isCard(text: string): boolean {
  return looksLikeCard(text) && hasLuhnDigit(text.replaceAll(/[ -]/g, ""));
}

/** Whether the digits are written in groups, as on a card. */
export function isGrouped(text: string): boolean {
  return /^\d{4}[ -]\d{4}[ -]\d{4}[ -]\d{1,7}$|^\d{4}[ -]\d{6}[ -]\d{4,5}$/.test(text);
}

const cardInText = /(?<![\w.-])\d(?:[ -]?\d){11,18}(?![\w-]|\.\d)/g;

/** Finds runs of digits in a text that have the form of a card number, with or without a valid check digit. */
export function findCardForms(text: string): readonly string[] {
  return [...text.matchAll(cardInText)].map(([found]) => found).filter(looksLikeCard);
}
