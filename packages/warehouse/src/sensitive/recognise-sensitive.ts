/** Recognises sensitive columns by their names and values. */
import type { ValueType } from "../port/structure.ts";
import type { WarehouseValue } from "../port/values.ts";
import { findCardForms, findIbans, isCard, isGrouped, isIban, looksLikeCard } from "./account-numbers.ts";
import { kindOfName } from "./column-names.ts";
import { findEmails, isAddress, isPhone, mayBePhone } from "./contact-forms.ts";
import { isNationalId } from "./national-ids.ts";
import { hasToken, isPasswordHash, mayBeToken } from "./secrets.ts";
import type { SensitiveKind } from "./sensitive-kinds.ts";
import { canBeSensitive, textsOf } from "./value-texts.ts";

export interface ColumnToRecognise {
  readonly name: string;
  readonly type: ValueType;
  /** Values of the column, in any order. Without values, only the name counts. */
  readonly values: readonly WarehouseValue[];
}

/**
 * Returns the kind of sensitive data in a column; undefined if it is not sensitive. Pure.
 *
 * @example recogniseSensitive({ name: "contact", type: "text", values: ["ada@example.com"] }) // "email"
 */
export function recogniseSensitive({ name, type, values }: ColumnToRecognise): SensitiveKind | undefined {
  if (!canBeSensitive(type)) return undefined;
  const named = kindOfName(name, type);
  const texts = textsOf(values);
  if (texts.length === 0) return named;
  return forms.find((form) => isMet(form, texts, named))?.kind;
}

/** Decides whether a column's values are of a kind. */
interface KindForm {
  readonly kind: SensitiveKind;
  /** Whether enough of the column's strings are of the kind. */
  isMet?(texts: readonly string[]): boolean;
  /** Whether a value may be of the kind, given that its column's name suggests it. */
  mayBe?(text: string): boolean;
}

/** The share of values that is enough if the column's name suggests the kind. */
const namedShare = 0.05;
/** The share of values with a rare form, such as an e-mail address, that makes a column sensitive. */
const rareShare = 0.01;

const forms: readonly KindForm[] = [
  {
    kind: "email",
    isMet: share(rareShare, (text) => findEmails(text).length > 0),
    mayBe: (text) => text.includes("@"),
  },
  { kind: "password", isMet: share(rareShare, isPasswordHash), mayBe: () => true },
  { kind: "token", isMet: share(rareShare, hasToken), mayBe: mayBeToken },
  { kind: "iban", isMet: share(rareShare, (text) => isIban(text) || findIbans(text).length > 0), mayBe: isIban },
  { kind: "card", isMet: hasCards, mayBe: (text) => isCard(text) || /^\d{3,4}$/.test(text) },
  { kind: "national_id", isMet: share(0.5, isNationalId), mayBe: (text) => (text.match(/\d/g)?.length ?? 0) >= 5 },
  { kind: "phone", isMet: share(0.6, isPhone), mayBe: mayBePhone },
  { kind: "ip_address", isMet: share(0.8, isAddress), mayBe: isAddress },
  { kind: "bank_account", mayBe: (text) => (text.match(/\d/g)?.length ?? 0) >= 5 },
];

function isMet({ kind, isMet, mayBe }: KindForm, texts: readonly string[], named: SensitiveKind | undefined): boolean {
  return isMet?.(texts) === true || (named === kind && share(namedShare, (text) => mayBe?.(text) === true)(texts));
}

/** Returns a condition that is true if at least this share of the strings, and at least one string, is accepted. */
function share(min: number, accepts: (text: string) => boolean): (texts: readonly string[]) => boolean {
  return (texts) => {
    const needed = Math.max(1, Math.ceil(min * texts.length));
    let found = 0;
    for (const text of texts) {
      if (accepts(text)) found += 1;
      if (found >= needed) return true;
    }
    return false;
  };
}

/**
 * Whether the strings contain card numbers. One in ten numbers has a valid check digit by chance, so most of the numbers with the form of a
 * card number must have one.
 */
function hasCards(texts: readonly string[]): boolean {
  const candidates = texts.flatMap((text) => (looksLikeCard(text) ? [text] : findCardForms(text)));
  const valid = candidates.filter(isCard);
  if (valid.length < Math.max(1, rareShare * texts.length) || valid.length < candidates.length / 2) return false;
  return valid.length >= 3 || valid.some(isGrouped);
}
