/**
 * Zod, as the built packages use it: `scripts/build.ts` puts it into one file without its translations, and replaces every import
 * of Zod by this one. Reading its many files would take most of the time of an import of Bridle.
 */
export { z } from "zod";
