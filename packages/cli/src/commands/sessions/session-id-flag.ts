import { sessionIdPattern } from "@bridle/app/sessions";
import { z } from "zod";
import type { Flag } from "../../command/command.ts";

/** The value of a flag that names a session, new or existing. */
export const sessionIdFlag = {
  value: z.string().regex(sessionIdPattern),
  expected: "1 to 128 letters, digits, dots, - and _",
} satisfies Omit<Flag, "flag" | "description">;
