/** A small host in one folder, to show that a new host needs nothing else but its line in the registry. */
import { createMemoryBackend } from "@bridle/conformance";
import { type Host, type HostDefinition, override, settingFields } from "@bridle/protocol";

const create = () => override(createMemoryBackend([{ steps: [{ say: "Hello from tiny." }] }]), { id: "tiny" });

const tiny: Host = {
  create,
  features: () => create().features,
  rehearsal: { needsFolder: false, keepsSessions: false, create },
  listModels: async () => ({ models: [{ id: "tiny-1", source: "host" }] }),
  versions: () => ({ tiny: "1.2.3" }),
  checks: { installation: () => ({ ok: true, detail: "tiny 1.2.3" }) },
};

export const tinyHost = {
  id: "tiny",
  title: "Tiny",
  settings: { shape: { token: settingFields.text("The token of the account.") }, secretKeys: ["token"] },
  needs: [{ ways: [{ token: `\${TINY_TOKEN}` }] }],
  models: { default: "tiny-1", takesPrices: false },
  hasSampling: false,
  load: async () => tiny,
} satisfies HostDefinition;
