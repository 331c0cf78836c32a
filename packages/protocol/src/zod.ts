/**
 * Zod, as the built packages use it: `scripts/build.ts` puts Zod into one file without its translations, and replaces every import of Zod
 * with this file. Reading Zod's many files would take most of the time that importing Bridle takes.
 */
export { z } from "zod";
