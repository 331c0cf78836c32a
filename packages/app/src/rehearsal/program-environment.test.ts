import { expect, test } from "vitest";
import { programEnvironment } from "./program-environment.ts";

test("a rehearsed program uses the rehearsal and gets none of the user's credentials or addresses", () => {
  const token = `sk-ant-api03-${"a1b2".repeat(8)}`;
  const secrets = {
    ANTHROPIC_API_KEY: token,
    ANTHROPIC_AUTH_TOKEN: "mine",
    OPENAI_API_KEY: "mine",
    OPENAI_BASE_URL: "https://mine.example",
    CLAUDE_CODE_USE_BEDROCK: "1",
    CLAUDE_CODE_OAUTH_TOKEN: "mine",
    AWS_PROFILE: "mine",
    AWS_SECRET_ACCESS_KEY: "mine",
    GITHUB_TOKEN: "mine",
    DATABASE_URL: "postgres://me:mine-too@db.example/x",
    ODD_NAME: `with ${token}`,
  };
  const allowed = { PATH: "/bin", HOME: "/home/me", PWD: "/home/me", AWS_REGION: "eu-west-1", OPENAI_MODEL: "gpt" };
  const { environment, withheld } = programEnvironment(
    { ...allowed, ...secrets, NO_PROXY: "x.example" },
    "http://127.0.0.1:9",
  );
  expect(environment).toEqual({
    ...allowed,
    ANTHROPIC_BASE_URL: "http://127.0.0.1:9",
    ANTHROPIC_API_KEY: "rehearsal",
    OPENAI_BASE_URL: "http://127.0.0.1:9/v1",
    OPENAI_API_KEY: "rehearsal",
    NO_PROXY: "x.example,127.0.0.1",
    no_proxy: "x.example,127.0.0.1",
  });
  expect(withheld.sort()).toEqual(
    Object.keys(secrets)
      .filter((name) => name !== "OPENAI_BASE_URL")
      .sort(),
  );
});
