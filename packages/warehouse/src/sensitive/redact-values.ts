import { findCardForms, findIbans, isCard, isGrouped } from "./account-numbers.ts";
import { findEmails } from "./contact-forms.ts";
import { removeTokens } from "./secrets.ts";

/**
 * Replaces single e-mail addresses, IBANs, printed card numbers, keys and tokens in a text of a column that is not sensitive as a
 * whole. Everything else, such as a plain number, stays. Pure.
 *
 * @example redactSensitive("write to ada@example.com") // "write to [email]"
 */
export function redactSensitive(text: string): string {
  const withoutEmails = replaceAll(text, findEmails(text), "[email]");
  const withoutIbans = replaceAll(withoutEmails, findIbans(withoutEmails), "[iban]");
  const cards = findCardForms(withoutIbans).filter((found) => isCard(found) && isGrouped(found));
  return removeTokens(replaceAll(withoutIbans, cards, "[card]"));
}

function replaceAll(text: string, found: readonly string[], mark: string): string {
  return found.reduce((changed, each) => changed.replaceAll(each, mark), text);
}
