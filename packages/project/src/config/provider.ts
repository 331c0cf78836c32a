/** The schema of `llm.provider`: each host allows exactly its own keys. */
import { createProviderSchema } from "../registries/host-registry.ts";

export const providerSchema = createProviderSchema();
