import { expect, test } from "vitest";
import { redactSensitive } from "./redact-values.ts";

test.each([
  ["write to Ada@Example.com, or to bob@mail.example.org.", "write to [email], or to [email]."],
  ["rent DE89 3704 0044 0532 0130 00 by Monday", "rent [iban] by Monday"],
  ["card 4111 1111 1111 1111 refused", "card [card] refused"],
  ["key sk_live_abcdefghij0123456789abcd", "key [secret: 32 characters]"],
  ["order 4111111111111111 of 2024-01-31", "order 4111111111111111 of 2024-01-31"],
  ["DE00 3704 0044 0532 0130 00", "DE00 3704 0044 0532 0130 00"],
  ["plain", "plain"],
])("in %j, sensitive values are replaced: %j", (text, expected) => {
  expect(redactSensitive(text)).toBe(expected);
});
