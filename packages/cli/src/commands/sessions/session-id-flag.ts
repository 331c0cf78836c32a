import { sessionIdPattern } from "@bridle/app/sessions";
import { z } from "zod";
import type { Flag } from "../../command/command.ts";

/** The value of a flag that names a new or existing session. */
export const sessionIdFlag = {
  value: z.string().regex(sessionIdPattern),
  expected: "1 to 128 letters, digits, dots, - and _",
} satisfies Omit<Flag, "flag" | "description">;
