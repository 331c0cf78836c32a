import { expect, test } from "vitest";
import { isDenied } from "./denied-variables.ts";

test.each([
  "ANTHROPIC_API_KEY",
  "ANTHROPIC_AUTH_TOKEN",
  "ANTHROPIC_BASE_URL",
  "ANTHROPIC_MODEL",
  "ANTHROPIC_SMALL_FAST_MODEL",
  "ANTHROPIC_CUSTOM_HEADERS",
  "ANTHROPIC_UNIX_SOCKET",
  "ANTHROPIC_PROFILE",
  "ANTHROPIC_CONFIG_DIR",
  "CLOUD_ML_REGION",
  "GOOGLE_APPLICATION_CREDENTIALS",
  "GOOGLE_CLOUD_PROJECT",
  "GCLOUD_PROJECT",
  "CLAUDE_CODE_API_BASE_URL",
  "CLAUDE_CODE_CUSTOM_OAUTH_URL",
  "CLAUDE_CODE_OAUTH_TOKEN",
  "CLAUDECODE",
  "CLAUDE_CODE_ENTRYPOINT",
  "CLAUDE_CODE_SESSION_ACCESS_TOKEN",
  "CLAUDE_SESSION_INGRESS_TOKEN_FILE",
])("%s is denied", (name) => {
  expect(isDenied(name)).toBe(true);
});

test.each([
  "ANTHROPIC_AWS_",
  "ANTHROPIC_BEDROCK_",
  "ANTHROPIC_FOUNDRY_",
  "ANTHROPIC_VERTEX_",
  "ANTHROPIC_DEFAULT_",
  "AWS_",
  "AZURE_",
  "CLAUDE_CODE_USE_",
])("a variable that begins with %s is denied", (family) => {
  expect(isDenied(`${family}A_NAME_OF_NEXT_YEAR`)).toBe(true);
});

test("denied names are compared without regard to case, as on Windows", () => {
  expect(isDenied("Anthropic_Api_Key")).toBe(true);
  expect(isDenied("aws_profile")).toBe(true);
});

test("names that only resemble a denied name are not denied", () => {
  expect(
    ["PATH", "MY_ANTHROPIC_API_KEY", "ANTHROPIC_API_KEYS", "CLAUDE_CONFIG_DIR", "AWSOME"].filter(isDenied),
  ).toEqual([]);
});
