/** Kinds of value that many fields of an agent's file have. */
import { agentFields } from "@bridle/protocol";

export const { address, file, flag, refused, share, text, toolName, wholeFrom } = agentFields;
