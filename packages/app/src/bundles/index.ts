/** Bundles: files that contain everything about a run or a session, without credentials. */
export { type BundleReport, bundleReportSchema, readBundle } from "./read-bundle.ts";
export { type StreamBundleOptions, streamBundle } from "./stream-bundle.ts";
export { type WriteBundleOptions, writeBundle } from "./write-bundle.ts";
