import { findCardForms, findIbans, isCard, isGrouped } from "./account-numbers.ts";
import { findEmails, findPhones } from "./contact-forms.ts";
import { findNationalIds } from "./national-ids.ts";
import { removeTokens } from "./secrets.ts";

/**
 * Replaces single e-mail addresses, phone numbers, IBANs, card numbers written in groups, national identification numbers, keys and tokens
 * in a string from a column that is not sensitive as a whole. Keeps everything else, such as plain numbers. Pure.
 *
 * @example redactSensitive("write to ada@example.com") // "write to [email]"
 */
export function redactSensitive(text: string): string {
  const withoutEmails = replaceAll(text, findEmails(text), "[email]");
  return removeTokens(/\d{2}/.test(withoutEmails) ? redactNumbers(withoutEmails) : withoutEmails);
}

function redactNumbers(text: string): string {
  const withoutIbans = replaceAll(text, findIbans(text), "[iban]");
  const cards = findCardForms(withoutIbans).filter((found) => isCard(found) && isGrouped(found));
  const withoutCards = replaceAll(withoutIbans, cards, "[card]");
  const withoutIds = replaceAll(withoutCards, findNationalIds(withoutCards), "[national_id]");
  return replaceAll(withoutIds, findPhones(withoutIds), "[phone]");
}

function replaceAll(text: string, found: readonly string[], mark: string): string {
  return found.reduce((changed, each) => changed.replaceAll(each, mark), text);
}
