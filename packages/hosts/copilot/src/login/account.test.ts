import { expect, test } from "vitest";
import { listAccountModels, requireAccount } from "./account.ts";

const login = { host: "https://github.com", name: "octo", token: "gho_made_up" };

test("an answer of GitHub about the account that repeats the token is shown without it", async () => {
  const authErrors = ["Failed to validate SDK token: GitHub returned: gho_made_up is unknown (401)"];
  const client = { rpc: { account: { getCurrentAuth: async () => ({ authErrors }) } } };
  await expect(requireAccount(client, login)).rejects.toThrow("[key] is unknown");
});

test.each(['{"status":401,"body":"gho_made_up is unknown"}', "gho_made_up is unknown"])(
  "an answer about the models that repeats the token is shown without it: %s",
  async (text) => {
    const client = { rpc: { models: { list: () => Promise.reject(new Error(text)) } } };
    await expect(listAccountModels(client, login)).rejects.toThrow("[key] is unknown");
  },
);
