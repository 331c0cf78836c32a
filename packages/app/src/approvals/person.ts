import { type Environment } from "@bridle/project";

/** The name of whoever is logged in, as the system has it. */
export function personOf({ USER, LOGNAME, USERNAME }: Environment): string | undefined {
  return USER || LOGNAME || USERNAME || undefined;
}
