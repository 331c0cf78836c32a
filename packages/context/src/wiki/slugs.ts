/** Checks and creates page names, which are the file names without `.md`. */

const maxSlugLength = 60;

/** Names that Windows reserves for devices. */
const devices = /^(con|prn|aux|nul|com\d|lpt\d)$/;

/** Returns the name for a page with this title: letters and digits of any script, in lower case, with hyphens between words. */
export function toSlug(title: string): string {
  const words = title
    .slice(0, 400)
    .toWellFormed()
    .normalize("NFKC")
    .toLowerCase()
    .normalize("NFC")
    .match(/[\p{L}\p{N}][\p{L}\p{M}\p{N}]*/gu);
  const slug = cut((words ?? []).join("-"));
  if (slug === "") return "page";
  return devices.test(slug) ? `${slug}-page` : slug;
}

function cut(slug: string): string {
  if (slug.length <= maxSlugLength) return slug;
  const whole = slug.slice(0, maxSlugLength + 1).replace(/-[^-]*$/, "");
  return (whole.length <= maxSlugLength ? whole : slug.slice(0, maxSlugLength)).toWellFormed().replaceAll("\ufffd", "");
}

/** Whether a string can be a page name. The file of such a page stays in the wiki folder. */
export function isSlug(text: string): boolean {
  return /^[^./\\:*?"<>|\p{Cc}][^/\\:*?"<>|\p{Cc}]{0,199}$/u.test(text) && !devices.test(text.toLowerCase());
}
