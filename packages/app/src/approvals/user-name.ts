import type { Environment } from "@bridle/project";

/** The name of the user who is logged in on this system. */
export function userName({ USER, LOGNAME, USERNAME }: Environment): string | undefined {
  return USER || LOGNAME || USERNAME || undefined;
}
