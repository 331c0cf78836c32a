/** Removes credentials and sensitive values from a text before any part of it is stored, logged or sent. */
import type { ReplacesCredentials } from "@bridle/core";
import { redactSensitive } from "@bridle/warehouse";

export type RemoveSecrets = (text: string) => string;

/**
 * Creates a function that replaces known credentials, strings that look like credentials, and sensitive values such as e-mail addresses and
 * phone numbers.
 */
export function createSecretRemoval(redactor: Pick<ReplacesCredentials, "text">): RemoveSecrets {
  return (text) => removeSpokenPasswords(redactSensitive(redactor.text(text)));
}

/** Removes secrets from all strings in a JSON value. */
export function withoutSecrets(value: unknown, removeSecrets: RemoveSecrets): unknown {
  if (typeof value === "string") return removeSecrets(value);
  if (Array.isArray(value)) return value.map((each) => withoutSecrets(each, removeSecrets));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withoutSecrets(each, removeSecrets)]));
}

/** Matches a mark that replaced a credential, or a sensitive value, such as `[phone]`. */
export const removedMark = /\[(?:secret\b[^\]\n]{0,120}|email|phone|iban|card|national_id)\]/;

const words =
  "pass(?:word|phrase|code)|passwort|kennwort|contrase(?:ñ|n)a|senha|mot de passe|wachtwoord|l(?:ö|o)senord|adgangskode|has(?:ł|l)o|parola|пароль|パスワード|暗証番号|密码|密碼|비밀번호|api[- ]?key|access key|secret key|token|pin code";
const verbs = "is|was|=|:|ist|lautet|war|es|é|est|è|jest|är|er|は|是|은|는|—|-";

/**
 * `The password of the replica is tulip-9931`. The value must contain a digit and another character, so that ordinary sentences are not
 * changed.
 */
const spoken = new RegExp(
  String.raw`((?:${words})(?:[ \t]+[\p{L}\p{N}_.'’-]{1,30}){0,5}?[ \t]*(?:${verbs})[ \t]*["'“‘\x60]?)((?=\S*\d)(?=\S*[^\d\s.,;:%)\]])[^\s"'”’\x60,;\[\]]{5,80}[^\s"'”’\x60,;.!?\[\]])`,
  "giu",
);

function removeSpokenPasswords(text: string): string {
  if (!/\d/.test(text)) return text;
  return text.replace(spoken, (_, before: string, value: string) => `${before}[secret: ${value.length} characters]`);
}
