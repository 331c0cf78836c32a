/** The parts that the definitions of all model APIs share. */
import { type HostConfig, type HostDefinition, type HostSettingsForm, settingFields } from "@bridle/protocol";
import { z } from "zod";
import type { ModelApiId } from "../settings/options.ts";

const { address } = settingFields;

export const elsewhere = address(
  "The address for requests, such as that of a gateway, instead of the provider's own address.",
);

/** The setting for the allowed silence. Node.js itself ends a request after 300,000 ms of silence. */
const idleTimeoutMs = z
  .int()
  .min(1)
  .max(300_000)
  .exactOptional()
  .describe(
    "Milliseconds without data from the host after which a request is aborted, at most 300000. Default: 120000.",
  );

const headers = z
  .record(z.string().regex(/^[\w!#$%&'*+^`|~-]+$/, "it is not a valid header name"), z.string())
  .exactOptional()
  .describe(
    "Additional headers of every request, by name, such as those that a gateway requires. Their values are never shown.",
  );

type Own<Id extends ModelApiId> = Pick<
  HostDefinition<HostConfig, Id>,
  "id" | "title" | "needs" | "findConflict" | "withoutCredentials" | "agentModels" | "init"
> & {
  readonly settings: HostSettingsForm;
  readonly models?: Partial<HostDefinition["models"]>;
};

/** The model family and default of a model API that serves Claude under Anthropic's model names. */
export const servesClaude = { family: "claude", default: "sonnet" } as const;

/** Defines a model API, with its own keys and the keys of all model APIs. */
export function defineModelApi<const Id extends ModelApiId>({ settings, models, ...own }: Own<Id>) {
  return {
    ...own,
    settings: {
      ...settings,
      shape: { ...settings.shape, idleTimeoutMs, headers },
      plainKeys: ["idleTimeoutMs", ...(settings.plainKeys ?? [])],
    },
    models: { takesPrices: true, ...models },
    hasSampling: true,
    load: async () => (await import("./host.ts")).modelApi(own.id),
  } satisfies HostDefinition;
}
