import { sessionIdPattern } from "@bridle/core";
import { type Flag } from "../../command-line/command.ts";
import { z } from "zod";

/** What the value of a flag has to be that names a session, new or old. */
export const sessionIdFlag = {
  value: z.string().regex(sessionIdPattern),
  expected: "1 to 128 letters, digits, dots, - and _",
} satisfies Omit<Flag, "flag" | "description">;
