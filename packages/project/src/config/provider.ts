/** `llm.provider`: for each host exactly its keys. */
import { createProviderSchema } from "../hosts/host-registry.ts";

export const providerSchema = createProviderSchema();
