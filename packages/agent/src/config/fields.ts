/** Schemas of values that occur in many fields of an agent file. */
import { agentFields } from "@bridle/protocol";

export const { address, file, flag, refused, share, text, toolName, wholeFrom } = agentFields;
