/** The schema of `llm.provider`: each host allows exactly its own keys. */
import { createProviderSchema } from "../hosts/host-registry.ts";

export const providerSchema = createProviderSchema();
