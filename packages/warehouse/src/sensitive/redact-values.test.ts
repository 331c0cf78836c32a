import { expect, test } from "vitest";
import { redactSensitive } from "./redact-values.ts";

test.each([
  ["write to Ada@Example.com, or to bob@mail.example.org.", "write to [email], or to [email]."],
  ["rent DE89 3704 0044 0532 0130 00 by Monday", "rent [iban] by Monday"],
  ["card 4111 1111 1111 1111 refused", "card [card] refused"],
  ["key sk_live_abcdefghij0123456789abcd", "key [secret: 32 characters]"],
  ["call +49 30 12345678 or (555) 234-5678 today", "call [phone] or [phone] today"],
  ["+4915112345678", "[phone]"],
  ["at +02:00, +100 000 points, 1e+1000000000", "at +02:00, +100 000 points, 1e+1000000000"],
  ["of 2024-01-31T10:00:00+02:00, and 10+1234567890", "of 2024-01-31T10:00:00+02:00, and 10+1234567890"],
  ["his number 512-58-1234.", "his number [national_id]."],
  ["CPF 529.982.247-25, 190110-4700", "CPF [national_id], 190110-4700"],
  ["parts 900-12-3456, 512-58-12345 and 2024-01-31", "parts 900-12-3456, 512-58-12345 and 2024-01-31"],
  ["order 4111111111111111 of 2024-01-31", "order 4111111111111111 of 2024-01-31"],
  ["DE00 3704 0044 0532 0130 00", "DE00 3704 0044 0532 0130 00"],
  ["plain", "plain"],
])("in %j, sensitive values are replaced: %j", (text, expected) => {
  expect(redactSensitive(text)).toBe(expected);
});
