/** A small host in one folder, which shows that a new host needs only a line in the registry besides its own folder. */
import { type HostDefinition, settingFields } from "@bridle/protocol";

export const tinyHost = {
  id: "tiny",
  title: "Tiny",
  settings: {
    shape: {
      token: settingFields.text("The token of the account."),
      baseUrl: settingFields.address("The address of the server."),
    },
    secretKeys: ["token"],
  },
  needs: [{ ways: [{ token: `\${TINY_TOKEN}` }] }],
  models: { default: "tiny-1", takesPrices: false },
  hasSampling: false,
  init: [
    {
      name: "tiny",
      label: "Tiny's API",
      model: "tiny-1",
      variables: [["TINY_TOKEN"]],
      settings: () => ({ backend: "tiny", token: `\${TINY_TOKEN}` }),
      remedy: "make a token at tiny.example, and set TINY_TOKEN",
    },
  ],
  load: async () => (await import("./host.ts")).tiny,
} satisfies HostDefinition;
