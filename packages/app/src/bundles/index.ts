/** Bundles: everything about a run or a session in one file, without credentials. */
export { type BundleReport, bundleReportSchema, readBundle } from "./read-bundle.ts";
export { writeBundle, type WriteBundleOptions } from "./write-bundle.ts";
