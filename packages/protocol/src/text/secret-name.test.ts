import { expect, test } from "vitest";
import { isSecretName } from "./secret-name.ts";

test.each(["Authorization", "x-api-key", "apiKey", "SHOP_TOKEN", "Cookie", "x-signature", "DB_PASSWORD"])(
  "%s is the name of a credential",
  (name) => {
    expect(isSecretName(name)).toBe(true);
  },
);

test.each(["x-team", "baseUrl", "MODE", "region"])("%s is not the name of a credential", (name) => {
  expect(isSecretName(name)).toBe(false);
});
