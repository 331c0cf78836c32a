import { createRedactor } from "@bridle/core";
import { expect, test } from "vitest";
import { createSecretRemoval, removedMark } from "./remove-secrets.ts";

const removeSecrets = createSecretRemoval(createRedactor({ secrets: ["harbour-lantern"] }));

test.each([
  ["Payments key: sk_live_51HxNORDLYSa8Kq2mZ", "Payments key: [secret: 26 characters]"],
  ["Call Joana privately at +351 912 555 014.", "Call Joana privately at [phone]."],
  ["Write to ada@example.com.", "Write to [email]."],
  ["postgres://report:N0rd-S3cret@db.example/fares", "postgres://report:[secret: 11 characters]@db.example/fares"],
  ["Bearer eyJhbGciOiJIUzI1NiJ9.UExBTlRFRA.c2ln", "Bearer [secret: 36 characters]"],
  ["The password of the replica is tulip-9931.", "The password of the replica is [secret: 10 characters]."],
  ["Das Passwort lautet Tulpe#77x, bitte ändern", "Das Passwort lautet [secret: 9 characters], bitte ändern"],
  ["La contraseña es: Verano-2026", "La contraseña es: [secret: 11 characters]"],
  ["A senha do painel é 'barco99x'.", "A senha do painel é '[secret: 8 characters]'."],
  ["パスワードは sakura-42x です", "パスワードは [secret: 10 characters] です"],
  ["It is harbour-lantern.", "It is [secret: 15 characters]."],
])("in %j, secrets are replaced: %j", (text, expected) => {
  expect(removeSecrets(text)).toBe(expected);
  expect(removedMark.test(expected)).toBe(true);
});

test.each([
  "A token is valid for 15 minutes.",
  "The password is changed every 90 days.",
  "A password is at least 12 characters long.",
  "The PIN code is printed on the back.",
  "Payouts run every night at 02:00 UTC.",
  "API keys are rotated in Q3 2026.",
  "All amounts in the warehouse are in cents.",
])("%j stays as it is", (text) => {
  expect(removeSecrets(text)).toBe(text);
});
