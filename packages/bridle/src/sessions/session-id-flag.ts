import { sessionIdPattern } from "@bridle/core";
import { z } from "zod";
import type { Flag } from "../cli/command.ts";

/** What the value of a flag has to be that names a session, new or old. */
export const sessionIdFlag = {
  value: z.string().regex(sessionIdPattern),
  expected: "1 to 128 letters, digits, dots, - and _",
} satisfies Omit<Flag, "flag" | "description">;
