import { agentFields } from "@bridle/protocol";

/** The address of a host, for `model` in an agent's file. */
export const endpoint = (
  description = "The address for requests, instead of the provider's own address, such as a gateway.",
) => agentFields.address(description).exactOptional();

/** Returns the address below a path that users leave out, such as `/v1` of Ollama. */
export function withPath(address: string, path: string): string {
  return new URL(address).pathname === "/" ? new URL(path, address).href : address;
}

/** A field of `model` that may be missing. */
export const optionalText = (description: string) => agentFields.text(description).exactOptional();
